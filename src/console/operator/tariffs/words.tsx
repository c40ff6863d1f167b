/** Words about tariffs and drafts, and refusals of their calls. */
import type { ApiFault } from '../../../http/client/fault.ts';
import type { OperatorTariffsBody, TariffChangeBody } from '../../calls.ts';
import { operatorHref } from '../../navigation.tsx';
import { FaultNotice, Lines, Notice } from '../../ui/feedback.tsx';
import { problemText } from '../../ui/form.tsx';
import { allOf, withoutVersions } from '../../ui/format.ts';
import { Rows } from '../../ui/kit.tsx';

type State = OperatorTariffsBody['drafts'][number]['state'];

export const stateText = (state: State): string => (state === 'open' ? 'not imported' : state);

const FIELDS: Readonly<Record<string, string>> = {
  name: 'The name',
  effectiveDate: 'The first day',
  file: 'The file',
  files: 'The draft',
  draft: 'The draft',
  to: 'It',
  replace: 'Permission to replace',
  acceptDoubts: 'Permission to publish with doubts',
};

export const Refusal = ({ fault }: { readonly fault: ApiFault | undefined }) => {
  if (fault === undefined) return null;
  const problems = Object.entries(fault.arguments).map(([field, problem]) =>
    problemText(FIELDS[field] ?? field, String(problem)),
  );
  if (fault.status !== 422 || problems.length === 0) return <FaultNotice fault={fault} />;
  return <Notice kind="error">{problems.length === 1 ? <p>{problems}</p> : <Lines of={problems} />}</Notice>;
};

/** A link to a tariff by its name, with its version below it. */
export const TariffName = ({ id }: { readonly id: string }) => {
  const [name = id, version = ''] = id.split('@');
  return (
    <>
      <a href={operatorHref('tariffs', id)}>{name}</a> <code class="sub nowrap">{version}</code>
    </>
  );
};

/** What a change did. A tariff that is placed and gone has changed. */
export const changeText = (placed: readonly string[], gone: readonly string[]): string => {
  const [after, before] = [placed.map(withoutVersions), gone.map(withoutVersions)];
  const parts = [
    ['Published', after.filter((text) => !before.includes(text))],
    ['Changed', after.filter((text) => before.includes(text))],
    ['Withdrawn', before.filter((text) => !after.includes(text))],
  ] as const;
  const done = parts.filter(([, texts]) => texts.length > 0);
  return done.length === 0 ? 'Nothing changed.' : done.map(([what, texts]) => `${what}: ${allOf(texts)}.`).join(' ');
};

/** Says what a change did, if there was one. */
export const Changed = ({ change }: { readonly change: TariffChangeBody | undefined }) =>
  change === undefined ? null : (
    <Notice
      announced
      kind={change.quotable ? 'done' : 'warning'}
      title={changeText(change.placed, [...change.replaced, ...change.withdrawn])}
    >
      <p>
        {change.inUse
          ? 'The change is in force.'
          : 'The change takes effect within seconds. Reload the page to see it.'}
        {change.quotable ? '' : ' No tariff is in force today, so nothing can be quoted until one is.'}
      </p>
    </Notice>
  );

interface ChangeRow {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Old and new values, with unique names. */
export const ChangeRows = ({ caption, of }: { readonly caption: string; readonly of: readonly ChangeRow[] }) => (
  <Rows
    caption={caption}
    of={of}
    keyOf={({ what }) => what}
    cols={[
      ['What', ({ what }) => <span class="anywhere">{what}</span>, 'head'],
      ['Before', ({ before }) => <span class="anywhere">{before ?? '—'}</span>],
      ['After', ({ after }) => <span class="anywhere">{after ?? '—'}</span>],
    ]}
  />
);
