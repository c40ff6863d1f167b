/** What a scenario cannot price, and what its prices warn of. */
import { guidanceOf } from '../guide.ts';
import { Notice } from '../ui/feedback.tsx';
import { byCount } from '../ui/findings.tsx';
import { counted } from '../ui/format.ts';
import { warningTitle } from '../warnings.ts';
import type { OnOpen } from './behind.ts';
import type { ScenarioSummary } from './words.ts';

interface UnpricedProps {
  readonly scenario: ScenarioSummary;
  readonly onOpen: OnOpen | undefined;
}

interface LineProps {
  readonly by: 'fault' | 'warning';
  readonly type: string;
  readonly rows: number;
  readonly onOpen: OnOpen | undefined;
}

const Line = ({ by, type, rows, onOpen }: LineProps) => {
  const title = by === 'fault' ? guidanceOf(type).title : warningTitle(type);
  const text = counted(rows, 'row');
  return (
    <li>
      {title}: {text}{' '}
      {onOpen === undefined ? null : (
        <button type="button" class="link" onClick={() => onOpen({ by, value: type, title, text })}>
          Show the rows<span class="visually-hidden">: {title}</span>
        </button>
      )}
    </li>
  );
};

export const Unpriced = ({ scenario: { faults, warnings }, onOpen }: UnpricedProps) => (
  <>
    {Object.keys(faults).length === 0 ? null : (
      <Notice kind="info" announced={false} title="Rows that this scenario cannot price">
        <ul>
          {byCount(faults).map(([type, rows]) => (
            <Line key={type} by="fault" type={type} rows={rows} onOpen={onOpen} />
          ))}
        </ul>
      </Notice>
    )}
    {Object.keys(warnings).length === 0 ? null : (
      <Notice kind="warning" announced={false} title="Some of its prices come with a warning">
        <ul>
          {byCount(warnings).map(([type, rows]) => (
            <Line key={type} by="warning" type={type} rows={rows} onOpen={onOpen} />
          ))}
        </ul>
      </Notice>
    )}
  </>
);
