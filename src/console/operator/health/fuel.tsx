/** Fuel rates that have ended or will end within a week: the missing weeks as one form, above the last eight. */
import { useState } from 'preact/hooks';
import { fuelPercent, NOT_A_FUEL_PERCENT } from '../../../import/plain-csv/fuel-percent.ts';
import { useApi } from '../../api.ts';
import type { HealthBody, TariffChangeBody } from '../../calls.ts';
import { operatorHref } from '../../navigation.tsx';
import { Mark } from '../../ui/batch-state.tsx';
import { Button } from '../../ui/controls.tsx';
import { Form, type FormField, textIn, useForm } from '../../ui/form.tsx';
import { counted, dayOf } from '../../ui/format.ts';
import { Panel, Rows } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { Changed, Refusal } from '../tariffs/words.tsx';
import type { FuelEnd } from './judge.ts';

const DAY_MS = 86_400_000;
/** Carriers publish the rate of the next week. */
const AHEAD_MS = 7 * DAY_MS;
/** The weeks of the form at first, and after a click. For more, a CSV in a draft is easier. */
const [FEW_WEEKS, MOST_WEEKS] = [6, 26];

/** Services that share their rates. */
interface Group {
  readonly end: FuelEnd;
  readonly of: FuelEnd['recent'][number];
  readonly missing: readonly string[];
}

/** The first days of the weeks, or of the months, after the last day with a rate. At least one, newest first. */
const missingAfter = ({ lastDay, nextDay }: FuelEnd, [newest, before]: Group['of']['rates']): readonly string[] => {
  const isMonthly = newest !== undefined && newest.from.slice(8) === before?.from.slice(8);
  const last = nextDay === undefined ? Date.now() + AHEAD_MS : Date.parse(nextDay) - DAY_MS;
  const days: string[] = [];
  const day = new Date(Date.parse(lastDay) + DAY_MS);
  do {
    days.unshift(day.toISOString().slice(0, 10));
    if (isMonthly) day.setUTCMonth(day.getUTCMonth() + 1);
    else day.setTime(day.getTime() + 7 * DAY_MS);
  } while (day.getTime() <= last);
  return days;
};

const Head = ({ end: { hasEnded, lastDay }, of: { name } }: Group) => (
  <>
    <Mark kind={hasEnded ? 'bad' : 'warn'} /> {name}{' '}
    <span class="sub">
      {hasEnded ? 'ended' : 'ends'} {dayOf(lastDay).split(',', 1)[0]}
    </span>
  </>
);

/** `Nov 30, 2026`. A phone leaves the year out. */
const From = ({ day }: { readonly day: string }) => {
  const [short, year] = dayOf(day).split(',');
  return (
    <span class="nowrap">
      {short}
      <span class="fuel-year">,{year}</span>
    </span>
  );
};

type Rates = Group['of']['rates'];

/** A rate. If the next newer one does not follow it at once, the days without one are below it. */
const Rate = ({ of: rate, rates }: { readonly of: Rates[number]; readonly rates: Rates }) => {
  const next = rates[rates.indexOf(rate) - 1];
  const isFollowed = next === undefined || Date.parse(next.from) <= Date.parse(rate.until) + DAY_MS;
  return (
    <>
      {Number(rate.percent)}%
      {isFollowed ? null : <span class="sub">until {dayOf(rate.until)}, then none until the next rate</span>}
    </>
  );
};

const fieldOf = ({ of: { services, name } }: Group, day: string): FormField => ({
  ...{ at: `${services.join()} ${day}`, label: `${name}, from ${dayOf(day)}` },
  ...{ labelHidden: true, inputMode: 'decimal', most: 8 },
  wrong: (text) => (text.trim() === '' || fuelPercent(text.trim()) ? undefined : `It is ${NOT_A_FUEL_PERCENT}.`),
});

interface TariffProps {
  readonly tariff: string;
  readonly groups: readonly Group[];
  readonly onAdded: (change: TariffChangeBody) => void;
}

/** The fuel rates of a tariff: weeks down, services across. */
const TariffFuel = ({ tariff, groups: all, onAdded }: TariffProps) => {
  const api = useApi();
  const form = useForm();
  const [most, setMost] = useState(FEW_WEEKS);
  const groups = all.map((group) => ({ ...group, missing: group.missing.slice(0, most) }));
  const older = [...new Set(all.flatMap(({ missing }) => missing.slice(most)))].toSorted().toReversed();
  const days = groups.flatMap(({ of, missing }) => [...missing, ...of.rates.map(({ from }) => from)]);
  // The line of the weeks that are left out comes before a rate from the newest of them.
  const gap = older.slice(0, 1).map((day) => `${day} and before`);
  const cells = groups.flatMap((group) => group.missing.map((day) => ({ group, day, field: fieldOf(group, day) })));
  const typed = cells.filter(({ field }) => textIn(form, field).trim() !== '');
  return (
    <Form
      label={`Next fuel rates of ${tariff}`}
      fields={cells.map(({ field }) => field)}
      form={form}
      kind="primary"
      action={typed.length === 0 ? 'Save the rates' : `Save ${counted(typed.length, 'rate')}`}
      isReady={typed.length > 0}
      told={Refusal}
      send={async () => {
        const rates = typed.map(({ group: { end, of }, day, field }) => ({
          ...{ carrier: end.carrier, services: of.services, effectiveDate: day, percent: textIn(form, field).trim() },
        }));
        onAdded(await api.call('POST /ops/tariffs/fuel', { json: { tariff, rates } }));
      }}
      layout={(show) => (
        <div class="fuel pinned">
          <Rows
            caption="Fuel rates that end"
            of={[...new Set([...days, ...gap])].toSorted().toReversed()}
            keyOf={(day) => day}
            cols={[
              ['From', (day) => (gap.includes(day) ? counted(older.length, 'more week') : <From day={day} />), 'head'],
              ...groups.map(
                (group, at): Col<string> => [
                  <Head key={group.of.services.join()} {...group} />,
                  (day) => {
                    if (gap.includes(day))
                      return (all[at]?.missing.length ?? 0) > most && <span class="mark bad">none</span>;
                    const rate = group.of.rates.find(({ from }) => from === day);
                    if (rate !== undefined) return <Rate of={rate} rates={group.of.rates} />;
                    return group.missing.includes(day) ? show([fieldOf(group, day)]) : null;
                  },
                ],
              ),
            ]}
          />
        </div>
      )}
    >
      {older.length > 0 && most === FEW_WEEKS ? (
        <Button onClick={() => setMost(MOST_WEEKS)}>
          Show {counted(Math.min(older.length, MOST_WEEKS - FEW_WEEKS), 'more week')} without a rate
        </Button>
      ) : null}
      <span class="hint">
        They are part of <a href={operatorHref('tariffs', tariff)}>tariff {tariff.split('@', 1)[0]}</a>.
      </span>
    </Form>
  );
};

/** Shows nothing while no rate ends. */
export const Fuel = ({ fuel, onAdded }: Pick<HealthBody, 'fuel'> & { readonly onAdded: () => void }) => {
  const [change, setChange] = useState<TariffChangeBody>();
  const added = (done: TariffChangeBody): void => {
    setChange(done);
    onAdded();
  };
  const groups = (fuel ?? []).flatMap((end) =>
    end.recent.map((of): Group => ({ end, of, missing: missingAfter(end, of.rates) })),
  );
  if (groups.length === 0) return <Changed change={change} />;
  return (
    <Panel
      id="fuel"
      title="Fuel rates"
      lead="In percent, newest first. Enter the weeks that you know, and save them together."
    >
      <Changed change={change} />
      {[...new Set(groups.map(({ end }) => end.tariff))].map((tariff) => (
        <TariffFuel
          key={tariff.split('@', 1)[0]}
          tariff={tariff}
          groups={groups.filter(({ end }) => end.tariff === tariff)}
          onAdded={added}
        />
      ))}
    </Panel>
  );
};
