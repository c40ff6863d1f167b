/** Which of the client's warehouses have no zone chart: what is quoted from there is less certain. */
import type { TariffsBody } from '../calls.ts';
import { Notice } from '../ui/notice.tsx';

type Uncharted = TariffsBody['uncharted'][number];

const CONSEQUENCES = {
  estimated: 'Zones from there are estimated from the distance, and quotes say so.',
  unreached: 'Nothing can be quoted from there.',
} as const;

const Line = ({ warehouse_id, carrier, services, allServices, zones }: Uncharted) => (
  <li>
    Warehouse {warehouse_id}: no zone chart of {carrier}
    {allServices ? '' : ` (${services.join(', ')})`} has it. {CONSEQUENCES[zones]}
  </li>
);

export const UnchartedNotice = ({ uncharted }: Pick<TariffsBody, 'uncharted'>) =>
  uncharted.length === 0 ? null : (
    <Notice kind="warning" announced={false} title="Some of your warehouses have no zone chart">
      <ul>
        {uncharted.map((entry) => (
          <Line key={`${entry.warehouse_id} ${entry.carrier} ${entry.zones}`} {...entry} />
        ))}
      </ul>
    </Notice>
  );
