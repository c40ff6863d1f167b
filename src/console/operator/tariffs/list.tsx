/** The tariffs of the service, which can be withdrawn, drafts and the form of a new one, and earlier versions to go back to. */
import { useState } from 'preact/hooks';
import { PaysContext } from '../../agreements/pays.ts';
import { useApi, useCall } from '../../api.ts';
import type { OperatorTariffsBody, TariffChangeBody } from '../../calls.ts';
import { operatorHref } from '../../navigation.tsx';
import { type CardQuery, ChosenCard, RateCard, SurchargeTable } from '../../tariffs/rate-card.tsx';
import { TariffList, TariffState } from '../../tariffs/tariff-list.tsx';
import { Button } from '../../ui/controls.tsx';
import { EmptyState, Lines, Notice } from '../../ui/feedback.tsx';
import { Form, type FormField, useForm } from '../../ui/form.tsx';
import { counted, dayOf, instant, withoutVersions } from '../../ui/format.ts';
import { Ask, OpeningHead, PageHead, Panel, Rows, Show } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { Changed, changeText, Refusal, stateText, TariffName } from './words.tsx';

export const DRAFT = [
  { at: 'name', label: 'Name', hint: 'Such as carriers-2027. Quotes show it.', most: 40, required: true },
  {
    at: 'effectiveDate',
    label: 'In force from',
    name: 'The first day',
    hint: 'The first ship date. The carrier’s files state it.',
    type: 'date',
    required: true,
  },
] as const satisfies readonly FormField[];

const NewDraft = ({ onClose }: { readonly onClose: () => void }) => {
  const api = useApi();
  const form = useForm();
  return (
    <Panel title="New draft">
      <Form
        fields={DRAFT}
        form={form}
        kind="primary"
        action="Create the draft"
        told={Refusal}
        send={async (json) => {
          const { id } = await api.call('POST /ops/tariff-drafts', { json });
          location.hash = operatorHref('tariffs', id);
        }}
        layout={(show) => <div class="fields">{show(DRAFT)}</div>}
      >
        <Button onClick={onClose}>Cancel</Button>
      </Form>
    </Panel>
  );
};

type Tariff = OperatorTariffsBody['tariffs'][number];

interface PartProps {
  readonly body: OperatorTariffsBody;
  readonly onDone: (change: TariffChangeBody) => void;
}

const Withdraw = ({ tariff: { id, inForce }, body: { version }, onDone }: PartProps & { readonly tariff: Tariff }) => {
  const api = useApi();
  return (
    <Ask
      label="Withdraw"
      title={`Withdraw ${id}?`}
      action="Withdraw the tariff"
      told={Refusal}
      call={async () => onDone(await api.call('POST /ops/tariffs/withdraw', { json: { tariff: id, version } }))}
    >
      <p>
        {inForce === 'now'
          ? 'It is in force today. Its services are then quoted with the previous tariff, if there is one.'
          : 'It is not in force today.'}{' '}
        Running batches keep their prices. You can go back to the current version.
      </p>
    </Ask>
  );
};

type Version = OperatorTariffsBody['versions'][number];

/** The ship dates that going back changes, and the tariff that prices them then, if it is known. */
const datesOf = ({ tariffs: ids }: Version, tariffs: readonly Tariff[]): readonly string[] => {
  const textOf = (id: string): string =>
    `Ship dates from ${withoutVersions(id).split(' from ').toReversed().join(': ')}`;
  const coming = ids.filter((id) => tariffs.every((one) => one.id !== id)).map(textOf);
  const kept = tariffs.filter(({ id }) => ids.includes(id));
  const going = tariffs.filter((one) => !kept.includes(one));
  const gone = going.map(({ id, effectiveDate: from, services }) => {
    const codes = new Set(services.map((own) => own.shippingService));
    const isNext = (one: Tariff): boolean => !one.fallback && one.effectiveDate <= from && coming.length === 0;
    const next = kept.findLast((one) => isNext(one) && one.services.some((own) => codes.has(own.shippingService)));
    return [textOf(id), next === undefined ? '' : `, and ${next.name} does`] as const;
  });
  return [
    ...coming.map((text) => `${text} applies ${gone.some(([own]) => own === text) ? 'as it was then' : 'again'}.`),
    ...gone.flatMap(([text, next]) => (coming.includes(text) ? [] : `${text} no longer applies${next}.`)),
  ];
};

const GoBack = ({ back, body: { tariffs, version, clients }, onDone }: PartProps & { readonly back: Version }) => {
  const api = useApi();
  const action = `Go back to version ${back.version.split('-', 1)}`;
  return (
    <Ask
      label="Go back"
      title={`${action}?`}
      action={action}
      keep="Cancel"
      told={Refusal}
      call={async () => onDone(await api.call('POST /ops/tariffs/back', { json: { to: back.version, version } }))}
    >
      <Lines class="lines" of={datesOf(back, tariffs)} />
      <p>
        For these ship dates, quotes of {clients === 0 ? 'all clients' : counted(clients, 'client')} change at once.
        Running batches keep their prices. You can return to the current version.
      </p>
    </Ask>
  );
};

/** Formats `FedEx (8), UPS (7)`. */
const servicesText = ({ services }: { readonly services: readonly { readonly carrier: string }[] }): string => {
  const carriers = [...new Set(services.map(({ carrier }) => carrier))];
  return carriers
    .map((carrier) => `${carrier} (${services.filter((one) => one.carrier === carrier).length})`)
    .join(', ');
};

const Tariffs = ({ body, onDone }: PartProps) => (
  <Rows
    of={body.tariffs}
    cards
    caption="Tariffs"
    keyOf={({ id }) => id}
    empty={
      <EmptyState title="There are no tariffs yet">
        <p>Nothing can be quoted without one. Choose “New draft”, and drop the carriers’ files into it.</p>
      </EmptyState>
    }
    cols={[
      ['Tariff', ({ id }) => <TariffName id={id} />, 'head'],
      ['From', ({ effectiveDate }) => <span class="nowrap">{dayOf(effectiveDate)}</span>],
      ['State', TariffState],
      ['Services', servicesText],
      [
        'Made from',
        ({ id }) =>
          body.drafts
            .filter(({ tariff }) => tariff === id)
            .map((draft) => (
              <a key={draft.id} class="nowrap" href={operatorHref('tariffs', draft.id)}>
                {counted(draft.files, 'file')}
              </a>
            )),
      ],
      body.refusal === null && ['Actions', (tariff) => <Withdraw {...{ tariff, body, onDone }} />, 'actions'],
    ]}
  />
);

const DRAFT_COLS: readonly Col<OperatorTariffsBody['drafts'][number]>[] = [
  ['Draft', ({ id, name }) => <a href={operatorHref('tariffs', id)}>{name}</a>, 'head'],
  ['From', ({ effectiveDate }) => <span class="nowrap">{dayOf(effectiveDate)}</span>],
  ['State', ({ state }) => stateText(state)],
  ['Files', ({ files }) => files, 'number'],
  ['Changed', ({ changedAt, changedBy }) => <span class="nowrap">{`${instant(changedAt)}, ${changedBy}`}</span>],
];

const versionName = ({ version, isCurrent }: Version) => (
  <>
    <span class="nowrap">{version.split('-')[0]}</span> {isCurrent ? <span class="mark good">now</span> : null}
  </>
);

/** What made a version of the one before it. Unknown if that one is no longer kept. */
const changeIn = ({ versions }: OperatorTariffsBody, at: Version): string => {
  const before = versions[versions.indexOf(at) + 1];
  if (before === undefined && !/^1\b/.test(at.version)) return '';
  const [had = [], has] = [before?.tariffs, at.tariffs];
  return changeText(
    has.filter((id) => !had.includes(id)),
    had.filter((id) => !has.includes(id)),
  );
};

const Versions = ({ body, onDone }: PartProps) => {
  const now = body.versions.find(({ isCurrent }) => isCurrent);
  return (
    <Rows
      of={body.versions}
      cards
      caption="Versions"
      keyOf={({ version }) => version}
      empty={<p class="hint">No versions yet. Each change to the tariffs makes one.</p>}
      cols={[
        ['Version', versionName, 'head'],
        ['Created', ({ at, by }) => `${instant(at)}, ${by === 'hand' ? 'by hand, in the folder' : by}`],
        ['What happened', (version) => changeIn(body, version)],
        ['Tariffs then', ({ tariffs }) => tariffs.map(withoutVersions).join('; ') || 'none'],
        body.refusal === null && [
          'Actions',
          // Going back to the same tariffs would do nothing.
          (back) => `${back.tariffs}` !== `${now?.tariffs}` && <GoBack {...{ back, body, onDone }} />,
          'actions',
        ],
      ]}
    />
  );
};

const Trouble = ({ body: { refusal, problems } }: Pick<PartProps, 'body'>) => (
  <>
    {refusal === null ? null : <Notice kind="warning" title="Tariffs cannot be changed here" text={refusal} />}
    {problems.length === 0 ? null : (
      <Notice kind="error" announced={false} title="Some tariffs cannot be used">
        <Lines of={problems} />
      </Notice>
    )}
  </>
);

const TariffCard = ({ id, query }: { readonly id: string; readonly query: CardQuery }) => {
  const loaded = useCall('GET /ops/tariffs/card', { query: { id, ...query } });
  return (
    <Show of={loaded} lines={8} label="Loading the rate card">
      {(card) => (
        <PaysContext.Provider value="A client pays">
          <RateCard card={card} />
          <h2>{card.description} surcharges</h2>
          <SurchargeTable card={card} of={card.surcharges} />
        </PaysContext.Provider>
      )}
    </Show>
  );
};

/** A published tariff: its services, what its prices contain, and its rates. */
export const TariffPage = ({ id }: { readonly id: string }) => {
  const loaded = useCall('GET /ops/tariffs/shown', { query: { id } });
  const from = loaded.data?.fallback === false ? `From ${dayOf(loaded.data.effectiveDate)}. ` : '';
  return (
    <>
      <PageHead
        title={[`${id.split('@', 1)[0]} `, loaded.data && <TariffState {...loaded.data} />]}
        above={[operatorHref('tariffs'), 'All tariffs']}
        lead={loaded.data && `${from}Services: ${servicesText(loaded.data)}.`}
      />
      <Show of={loaded} lines={10} label="Loading the tariff">
        {(tariff) => (
          <>
            <TariffList tariffs={[tariff]} alone />
            <ChosenCard services={tariff.services}>{(query) => <TariffCard id={id} query={query} />}</ChosenCard>
          </>
        )}
      </Show>
    </>
  );
};

export const TariffsPage = () => {
  const loaded = useCall('GET /ops/tariffs');
  const [change, setChange] = useState<TariffChangeBody>();
  const drafts = loaded.data?.drafts.filter(({ published }) => !published) ?? [];
  const onDone = (done: TariffChangeBody): void => {
    setChange(done);
    loaded.reload();
  };
  return (
    <>
      <OpeningHead
        title="Tariffs"
        lead="A quote uses the tariff in force on its ship date."
        label="New draft"
        form={(close) => <NewDraft onClose={close} />}
      />
      <Changed change={change} />
      <Show of={loaded} lines={10} label="Loading tariffs">
        {(body) => (
          <>
            <Trouble body={body} />
            <Tariffs body={body} onDone={onDone} />
            {drafts.length === 0 ? null : (
              <section class="stack">
                <h2>Drafts</h2>
                <Rows of={drafts} cards caption="Drafts" keyOf={({ id }) => id} cols={DRAFT_COLS} />
              </section>
            )}
            <section class="stack">
              <h2>History</h2>
              <Versions body={body} onDone={onDone} />
            </section>
          </>
        )}
      </Show>
    </>
  );
};
