/** Takes a list by file dialog or drop. The whole page accepts drops. */
import { useCallback, useEffect, useId, useState } from 'preact/hooks';
import { bytes } from '../ui/format.ts';

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.parquet,.gz,.zip,text/csv';

/** Takes files dropped anywhere on the page. @returns true while a file is held over the page */
export const useDroppedFiles = (onFiles: (files: readonly File[]) => void): boolean => {
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

interface FileInputProps {
  readonly id?: string;
  readonly accept: string;
  readonly disabled?: boolean;
  readonly onFile: (file: File) => void;
}

/** Chooses a file. People see only its label, which is a button. */
export const FileInput = ({ onFile, ...input }: FileInputProps) => {
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const [chosen] = currentTarget.files ?? [];
    if (chosen !== undefined) onFile(chosen);
    // Allows choosing the same file again after it has changed.
    currentTarget.value = '';
  };
  return <input {...input} class="visually-hidden" type="file" onChange={choose} />;
};

interface DropZoneProps extends Pick<FileInputProps, 'onFile'> {
  readonly file: File | undefined;
}

export const DropZone = ({ file, onFile }: DropZoneProps) => {
  const id = useId();
  const over = useDroppedFiles(useCallback(([dropped]) => dropped !== undefined && onFile(dropped), [onFile]));
  return (
    <div class={`drop-zone ${file === undefined ? 'wanted' : 'taken'} ${over ? 'over' : ''}`}>
      <FileInput id={id} accept={ACCEPTED} onFile={onFile} />
      {file === undefined ? (
        <>
          <p class="drop-title">Drop your list here</p>
          <p class="hint">CSV, text, Excel (.xlsx) or Parquet, plain or compressed as .gz or .zip</p>
        </>
      ) : (
        <p class="anywhere">
          <strong>{file.name}</strong> <span class="hint">{bytes(file.size)}</span>
        </p>
      )}
      <label for={id} class={file === undefined ? 'button primary' : 'button'}>
        {file === undefined ? 'Choose a file' : 'Choose another file'}
      </label>
    </div>
  );
};
