/** The page that quotes one shipment: the form and, below it, the result. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../http/client/fault.ts';
import { asFault, useApi, useLoad } from './api.ts';
import type { RateQuote } from './calls.ts';
import { href } from './navigation.tsx';
import { curlOf, Quotes } from './quote/answer.tsx';
import { type Asked, type Catalog, inputsIn, problemsOf, QuoteForm } from './quote/form.tsx';
import './quote/quote.css';
import { useSession } from './session.tsx';
import { Button, CopyButton } from './ui/controls.tsx';
import { FaultNotice, Notice } from './ui/feedback.tsx';
import type { Problems } from './ui/form.tsx';
import { Show, useAct } from './ui/kit.tsx';
import { ServiceNames } from './ui/service-names.tsx';

type Outcome =
  | { readonly quote: RateQuote; readonly asked: Asked }
  | { readonly fault: ApiFault; readonly problems: Problems };

const NO_PROBLEMS: Problems = {};

/** Examples of quotes: the inputs, a name, and what each one shows. */
const EXAMPLES = [
  ['recipient.address.postalCode=90210&packageItems[0].weight.value=2', '2 lb to 90210', 'A small package.'],
  [
    'recipient.address.postalCode=60601&recipient.address.residential=true&packageItems[0].weight.value=5',
    '5 lb to a home in 60601',
    'Carriers charge more for homes.',
  ],
  [
    'recipient.address.postalCode=33101&packageItems[0].weight.value=20&options.signature=direct',
    '20 lb to 33101',
    'Signature required.',
  ],
] as const;

/** Shown before the first quote: what a quote contains, and examples to open. */
const Start = () => (
  <section class="stack" aria-labelledby="start">
    <div>
      <h2 id="start">Try a quote</h2>
      <p class="hint">See each service’s price, and the reason for every charge.</p>
    </div>
    <div class="fields long">
      {EXAMPLES.map(([query, title, text]) => (
        <a key={query} href={`${href.quote}?${query}`} class="card stack tiny option-card">
          <strong>{title}</strong>
          <span class="hint">{text}</span>
        </a>
      ))}
    </div>
  </section>
);

interface ResultProps {
  readonly outcome: Outcome | undefined;
  readonly warehouses: Catalog['warehouses'];
}

const Result = ({ outcome, warehouses }: ResultProps) => {
  if (outcome === undefined) return <Start />;
  if ('quote' in outcome) return <Quotes quote={outcome.quote} warehouses={warehouses} />;
  if (outcome.fault.type === 'getRates.invalidRequest')
    return (
      <Notice kind="error" title="No quote yet: please check the marked fields." text="Each shows what is wrong." />
    );
  return <FaultNotice fault={outcome.fault} title="No quote for this shipment" />;
};

/** @param hash the page's address, which may contain the inputs of a linked quote */
export const QuotePage = ({ hash }: { readonly hash: string }) => {
  const api = useApi();
  const { person } = useSession();
  const catalog = useLoad(
    async (signal) => {
      const [{ warehouses }, { services }] = await Promise.all([
        api.call('GET /v1/client/warehouses', { signal }),
        api.call('GET /v1/client/services', { signal }),
      ]);
      return { warehouses, services };
    },
    [api],
  );
  const { busy, run } = useAct();
  const [outcome, setOutcome] = useState<Outcome>();
  /** Whether a phone shows only the answer. */
  const [isDone, setDone] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const quoted = outcome !== undefined && 'quote' in outcome ? outcome : undefined;
  useEffect(() => {
    if (quoted !== undefined) (isDone ? heading.current : form.current?.querySelector('input'))?.focus();
  }, [outcome, isDone]);

  const ask = (asked: Asked): Promise<void> =>
    run(async () => {
      const { request, address } = asked;
      history.replaceState(history.state, '', address);
      try {
        const quote = await api.call('POST /v1/client/shipment/rates', { json: request, query: { explain: 'true' } });
        setOutcome({ quote, asked });
        setDone(true);
      } catch (error) {
        const fault = asFault(error);
        setOutcome({ fault, problems: problemsOf(fault) });
      }
    });

  return (
    <>
      <h1>Quote</h1>
      {catalog.data === undefined ? (
        <div class="panel">
          <Show of={catalog} lines={5} label="Loading warehouses and services">
            {() => null}
          </Show>
        </div>
      ) : (
        <div ref={form} class={isDone ? 'quote-asked' : undefined}>
          <QuoteForm
            catalog={catalog.data}
            linked={inputsIn(hash)}
            busy={busy}
            problems={outcome !== undefined && 'problems' in outcome ? outcome.problems : NO_PROBLEMS}
            onSubmit={(asked) => void ask(asked)}
          />
        </div>
      )}
      <section class="stack" aria-labelledby="answer" aria-busy={busy}>
        <div class="page-head">
          <div>
            <h2 id="answer" ref={heading} tabIndex={-1} class={quoted ? undefined : 'visually-hidden'}>
              Result
            </h2>
            {quoted ? (
              <p class="hint anywhere">
                {quoted.asked.shipment}{' '}
                {isDone ? (
                  <button type="button" class="link quote-edit" onClick={() => setDone(false)}>
                    Edit
                  </button>
                ) : null}
              </p>
            ) : null}
          </div>
          {quoted ? (
            <div class="actions">
              <CopyButton text={location.href} label="Copy the link to this quote" />
              <CopyButton text={curlOf(location.origin, person.id, quoted.asked.request)} label="Copy as curl" />
              <Button onClick={() => print()}>Print</Button>
            </div>
          ) : null}
        </div>
        <ServiceNames of={catalog.data?.services}>
          <Result outcome={outcome} warehouses={catalog.data?.warehouses ?? []} />
        </ServiceNames>
      </section>
    </>
  );
};
