/** Takes files by file dialog or drop. The whole page accepts drops. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

/** Takes files dropped anywhere on the page. @returns true while a file is held over the page */
const useDroppedFiles = (onFiles: (files: readonly File[]) => void): boolean => {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
    const hold = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    document.addEventListener('dragover', hold, { signal });
    document.addEventListener('drop', drop, { signal });
    document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false), { signal });
    return () => leaving.abort();
  }, [onFiles]);
  return over;
};

export interface FileInputProps {
  readonly id?: string;
  readonly accept?: string;
  readonly multiple?: boolean;
  /** Chooses a folder with all its files. */
  readonly webkitdirectory?: true;
  readonly disabled?: boolean;
  /** Receives at least one file. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses files. People see only its label, which is a button. */
export const FileInput = ({ onFiles, ...input }: FileInputProps) => {
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const chosen = [...(currentTarget.files ?? [])];
    if (chosen.length > 0) onFiles(chosen);
    // Allows choosing the same file again after it has changed.
    currentTarget.value = '';
  };
  return <input {...input} class="visually-hidden" type="file" onChange={choose} />;
};

interface DropZoneProps extends FileInputProps {
  /** Whether there is a file already. */
  readonly isTaken: boolean;
  /** The label of the button. */
  readonly action: string;
  readonly children: ComponentChildren;
}

export const DropZone = ({ isTaken, action, children, ...input }: DropZoneProps) => {
  const id = useId();
  const over = useDroppedFiles(input.onFiles);
  return (
    <div class={`drop-zone ${isTaken ? 'taken' : 'wanted'} ${over ? 'over' : ''}`}>
      <FileInput {...input} id={id} />
      {children}
      <label for={id} class={isTaken ? 'button' : 'button primary'}>
        {action}
      </label>
    </div>
  );
};
