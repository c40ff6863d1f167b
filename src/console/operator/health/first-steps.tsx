/** The steps from an empty service to the first quote. */
import type { ComponentChildren } from 'preact';
import { useApi, useLoad } from '../../api.ts';
import { Panel } from '../../ui/kit.tsx';
import { operatorHref } from '../address.ts';

interface StepProps {
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

const Step = ({ isDone, children }: StepProps) => (
  <li>
    {children}
    {isDone ? <span class="mark good">done</span> : null}
  </li>
);

/** Shows nothing once there is a client and a tariff. */
export const FirstSteps = () => {
  const api = useApi();
  const { data } = useLoad(
    async (signal) =>
      await Promise.all([api.call('GET /ops/clients', { signal }), api.call('GET /ops/tariffs', { signal })]),
    [api],
  );
  if (data === undefined) return null;
  const [hasClient, hasTariff] = [data[0].clients.length > 0, data[1].tariffs.length > 0];
  if (hasClient && hasTariff) return null;
  return (
    <Panel title="Start here" lead="Four steps to the first quote.">
      <ol class="stack small">
        <Step isDone={hasClient}>
          <a href={operatorHref('clients')}>Add a client</a> and the warehouses that it ships from. Its secret is shown
          once.{' '}
        </Step>
        <Step isDone={hasTariff}>
          <a href={operatorHref('tariffs')}>Start a draft</a>, drop the carriers’ files on it, and publish it: list
          rates, zone charts, fees and delivery areas.{' '}
        </Step>
        <Step isDone={false}>
          Drop a CSV with the weekly fuel on the same draft. Its columns are carrier, services, effective and percent.
        </Step>
        <Step isDone={false}>
          <a href="#/quote">Sign in as the client</a> with its id and secret, and ask for a quote.
        </Step>
      </ol>
    </Panel>
  );
};
