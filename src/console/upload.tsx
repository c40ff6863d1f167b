/** The upload page: choose a list, see its preview, adjust options, run it. */
import { useCallback, useRef, useState } from 'preact/hooks';
import { FirstSteps } from './batches/recent.tsx';
import { useLeaving } from './navigation.tsx';
import { DropZone } from './upload/drop-zone.tsx';
import { Prepared } from './upload/prepared.tsx';
import { RememberedList } from './upload/remembered-list.tsx';
import './upload/mapping.css';
import './upload/upload.css';

export const UploadPage = () => {
  const [chosen, setChosen] = useState<{ readonly file: File; readonly turn: number }>();
  const { leave, goOn } = useLeaving();
  const atStake = useRef(false);
  const onStake = useCallback((now: boolean) => {
    atStake.current = now;
  }, []);
  const take = useCallback(
    (file: File) => {
      const go = (): void => setChosen((before) => ({ file, turn: (before?.turn ?? 0) + 1 }));
      if (atStake.current) leave(go);
      else goOn(go);
    },
    [leave, goOn],
  );
  return (
    <>
      <div class="stack small">
        <h1>Upload a list</h1>
        <p class="lead">
          Each row is one shipment. First you see a preview. Then each row gets a price, or a reason why it has none.
        </p>
      </div>
      <DropZone file={chosen?.file} onFile={take} />
      {chosen === undefined ? (
        <>
          <FirstSteps onSample={take} />
          <RememberedList />
        </>
      ) : (
        <Prepared key={chosen.turn} file={chosen.file} onStake={onStake} />
      )}
    </>
  );
};
