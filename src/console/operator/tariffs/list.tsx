/** The tariffs of the service, drafts, and the versions to go back to. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorTariffsBody, TariffChangeBody } from '../../calls.ts';
import { Button } from '../../ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from '../../ui/feedback.tsx';
import { counted, dayOf, instant } from '../../ui/format.ts';
import { Table } from '../../ui/table.tsx';
import { operatorHref } from '../address.ts';
import { type Asked, NewDraft, Question } from './dialogs.tsx';
import { Changed, STATES, TariffName } from './words.tsx';

type Tariff = OperatorTariffsBody['tariffs'][number];

const IN_FORCE = { now: 'in force', later: 'upcoming', past: 'replaced' } as const;
const MARKS = { now: 'good', later: 'accent', past: '' } as const;

/** `FedEx (8), UPS (7)`. */
const servicesText = ({ services }: Tariff): string => {
  const carriers = [...new Set(services.map(({ carrier }) => carrier))];
  return carriers
    .map((carrier) => `${carrier} (${services.filter((one) => one.carrier === carrier).length})`)
    .join(', ');
};

const stateText = ({ inForce, services }: Tariff): string => {
  const now = services.filter((service) => service.inForce === 'now').length;
  return inForce === 'now' && now < services.length ? `${now} of ${services.length} in force` : IN_FORCE[inForce];
};

const Tariffs = ({ body, ask }: { readonly body: OperatorTariffsBody; readonly ask: (asked: Asked) => void }) =>
  body.tariffs.length === 0 ? (
    <EmptyState title="There are no tariffs yet">
      <p>Nothing can be quoted without one. Begin a draft, and drop the carriers’ files into it.</p>
    </EmptyState>
  ) : (
    <Table
      caption="Tariffs"
      captionHidden
      rows={body.tariffs}
      keyOf={({ id }) => id}
      columns={[
        { key: 'name', label: 'Tariff', heads: true, cell: ({ id }) => <TariffName id={id} /> },
        { key: 'from', label: 'From', cell: ({ effectiveDate }) => <span class="nowrap">{dayOf(effectiveDate)}</span> },
        {
          key: 'state',
          label: 'State',
          cell: (tariff) => <span class={`mark ${MARKS[tariff.inForce]}`}>{stateText(tariff)}</span>,
        },
        { key: 'services', label: 'Services', cell: servicesText },
        {
          key: 'action',
          label: <span class="visually-hidden">Actions</span>,
          numeric: true,
          cell: (tariff) =>
            body.refusal === null ? <Button onClick={() => ask({ withdraw: tariff })}>Withdraw</Button> : null,
        },
      ]}
    />
  );

const Drafts = ({ drafts }: Pick<OperatorTariffsBody, 'drafts'>) =>
  drafts.length === 0 ? (
    <p class="hint">There are none. A draft holds files until you publish or discard them.</p>
  ) : (
    <Table
      caption="Drafts"
      captionHidden
      rows={drafts}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'name',
          label: 'Draft',
          heads: true,
          cell: ({ id, name }) => <a href={operatorHref('tariffs', id)}>{name}</a>,
        },
        { key: 'from', label: 'From', cell: ({ effectiveDate }) => <span class="nowrap">{dayOf(effectiveDate)}</span> },
        {
          key: 'state',
          label: 'State',
          cell: ({ state, published }) => (
            <span class={`mark ${published ? 'good' : ''}`}>{published ? 'published' : STATES[state]}</span>
          ),
        },
        { key: 'files', label: 'Files', numeric: true, cell: ({ files }) => files },
        {
          key: 'changed',
          label: 'Changed',
          cell: ({ changedAt, changedBy }) => <span class="nowrap">{`${instant(changedAt)}, ${changedBy}`}</span>,
        },
      ]}
    />
  );

const Versions = ({ body, ask }: { readonly body: OperatorTariffsBody; readonly ask: (asked: Asked) => void }) =>
  body.versions.length === 0 ? (
    <p class="hint">Each change of the tariffs makes a version. There is none yet.</p>
  ) : (
    <Table
      caption="Versions"
      captionHidden
      rows={body.versions}
      keyOf={({ version }) => version}
      columns={[
        {
          key: 'version',
          label: 'Version',
          heads: true,
          cell: ({ version, isCurrent }) => (
            <>
              <span class="nowrap">{version.split('-')[0]}</span>{' '}
              {isCurrent ? <span class="mark good">now</span> : null}
            </>
          ),
        },
        {
          key: 'at',
          label: 'Made',
          cell: ({ at, by }) => (
            <span class="nowrap">
              {instant(at)}, {by === 'hand' ? 'by hand, in the folder' : by}
            </span>
          ),
        },
        {
          key: 'tariffs',
          label: 'Tariffs',
          cell: ({ tariffs }) => (tariffs.length === 0 ? 'none' : <span class="ids">{tariffs.join(', ')}</span>),
        },
        {
          key: 'action',
          label: <span class="visually-hidden">Actions</span>,
          numeric: true,
          cell: (version) =>
            version.isCurrent || body.refusal !== null ? null : (
              <Button onClick={() => ask({ back: version })}>Go back</Button>
            ),
        },
      ]}
    />
  );

export const TariffsPage = () => {
  const api = useApi();
  const { data, reload, ...loaded } = useLoad((signal) => api.call('operatorTariffs', { signal }), [api]);
  const [isNew, setNew] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [change, setChange] = useState<TariffChangeBody>();
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Tariffs</h1>
          <p class="lead">
            {data === undefined
              ? 'What quotes are priced with.'
              : `${counted(data.tariffs.length, 'tariff')} ${data.place === 'folder' ? 'in a folder of this machine' : 'published to the store'}.`}
          </p>
        </div>
        {isNew ? null : (
          <Button kind="primary" onClick={() => setNew(true)}>
            New draft
          </Button>
        )}
      </div>
      {isNew ? <NewDraft onClose={() => setNew(false)} /> : null}
      {change === undefined ? null : <Changed change={change} />}
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        loaded.state === 'loading' ? (
          <Skeleton lines={10} label="Loading tariffs" />
        ) : null
      ) : (
        <>
          {data.refusal === null ? null : (
            <Notice kind="warning" announced={false} title="Tariffs cannot be changed here">
              <p>{data.refusal}</p>
            </Notice>
          )}
          {data.problems.length === 0 ? null : (
            <Notice kind="error" announced={false} title="Some tariffs cannot be used">
              <ul>
                {data.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </Notice>
          )}
          <Tariffs body={data} ask={setAsked} />
          <section class="stack">
            <h2>Drafts</h2>
            <Drafts drafts={data.drafts} />
          </section>
          <section class="stack">
            <h2>Versions</h2>
            <Versions body={data} ask={setAsked} />
          </section>
          {asked === undefined ? null : (
            <Question
              asked={asked}
              body={data}
              onDone={(done) => {
                setChange(done);
                setAsked(undefined);
                reload();
              }}
              onClose={() => setAsked(undefined)}
            />
          )}
        </>
      )}
    </>
  );
};
