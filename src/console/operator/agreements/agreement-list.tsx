/** All agreements with their clients, and the upload of a new one. */
import { useState } from 'preact/hooks';
import { StateMark } from '../../agreements/tables.tsx';
import { periodText } from '../../agreements/words.ts';
import { useCall } from '../../api.ts';
import type { OperatorAgreements } from '../../calls.ts';
import { goTo } from '../../navigation.tsx';
import { Button } from '../../ui/controls.tsx';
import { EmptyState, Notice } from '../../ui/feedback.tsx';
import { Named, PageHead, Rows, Show } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { agreementHref, clientHref, Links } from '../clients/part.tsx';
import { Upload } from './upload.tsx';

type Entry = OperatorAgreements['agreements'][number];

const COLS: readonly Col<Entry>[] = [
  [
    'Agreement',
    ({ name, description }) => <Named name={<a href={agreementHref(name)}>{name}</a>} text={description} />,
    'head',
  ],
  ['State', StateMark],
  ['Carrier', ({ carrier }) => carrier],
  ['Ship dates', periodText],
  [
    'Clients',
    ({ clients }) => (clients.length === 0 ? <span class="hint">none</span> : <Links of={clients} to={clientHref} />),
  ],
];

export const AgreementList = () => {
  const loaded = useCall('GET /ops/agreements');
  const [uploading, setUploading] = useState(false);
  return (
    <>
      <PageHead title="Agreements" lead="What clients pay instead of list prices.">
        {loaded.data?.fixed === null && !uploading ? (
          <Button kind="primary" onClick={() => setUploading(true)}>
            Upload an agreement
          </Button>
        ) : null}
      </PageHead>
      {uploading ? (
        <Upload onPublished={({ name }) => goTo(agreementHref(name))} onClose={() => setUploading(false)} />
      ) : null}
      <Show of={loaded} lines={6}>
        {({ agreements, fixed }) => (
          <>
            {fixed === null ? null : <Notice kind="info" title="Agreements cannot be changed here" text={fixed} />}
            <Rows
              of={agreements}
              cards
              caption="Agreements"
              keyOf={({ name }) => name}
              cols={COLS}
              empty={
                <EmptyState title="There are no agreements yet">
                  <p>Upload the files of one, or a carrier’s grid of discounts.</p>
                </EmptyState>
              }
            />
          </>
        )}
      </Show>
    </>
  );
};
