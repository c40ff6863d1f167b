/** The page that quotes one shipment: the form and, beside it, the result. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../http/client/fault.ts';
import { asFault, useApi, useLoad } from './api.ts';
import type { RateQuote } from './calls.ts';
import { inputsIn } from './quote/address.ts';
import { Answer } from './quote/answer.tsx';
import { type Asked, type Catalog, problemsOf, QuoteForm } from './quote/form.tsx';
import './quote/quote.css';
import { EmptyState, FaultNotice, Notice, Skeleton } from './ui/feedback.tsx';
import type { Problems } from './ui/form.tsx';

type Outcome =
  | { readonly quote: RateQuote; readonly asked: Asked }
  | { readonly fault: ApiFault; readonly problems: Problems };

const NO_PROBLEMS: Problems = {};

interface ResultProps {
  readonly outcome: Outcome | undefined;
  readonly catalog: Catalog | undefined;
}

const Result = ({ outcome, catalog }: ResultProps) => {
  if (outcome === undefined)
    return (
      <EmptyState title="No quote yet">
        <p>Enter the destination and the weight. The receipt appears here with the reason for each charge.</p>
      </EmptyState>
    );
  if ('quote' in outcome) return <Answer quote={outcome.quote} catalog={catalog} asked={outcome.asked} />;
  if (outcome.fault.type === 'getRates.invalidRequest')
    return (
      <Notice kind="error" title="No quote yet: please check the marked fields." text="Each shows what is wrong." />
    );
  return <FaultNotice fault={outcome.fault} title="No quote for this shipment" />;
};

/** @param hash the page's address, with the inputs of a linked quote */
export const QuotePage = ({ hash }: { readonly hash: string }) => {
  const api = useApi();
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
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const heading = useRef<HTMLHeadingElement>(null);
  const isQuoted = outcome !== undefined && 'quote' in outcome;
  useEffect(() => {
    if (isQuoted) heading.current?.focus();
  }, [outcome]);

  const ask = async (asked: Asked): Promise<void> => {
    const { request, address } = asked;
    history.replaceState(history.state, '', address);
    setBusy(true);
    try {
      const quote = await api.call('POST /v1/client/shipment/rates', { json: request, query: { explain: 'true' } });
      setOutcome({ quote, asked });
    } catch (error) {
      const fault = asFault(error);
      setOutcome({ fault, problems: problemsOf(fault) });
    }
    setBusy(false);
  };

  return (
    <>
      <h1>Quote</h1>
      <div class="quote-page">
        {catalog.data === undefined ? (
          <div class="panel">
            {catalog.state === 'failed' ? (
              <FaultNotice fault={catalog.fault} retry={catalog.reload} />
            ) : (
              <Skeleton lines={12} label="Loading warehouses and services" />
            )}
          </div>
        ) : (
          <QuoteForm
            catalog={catalog.data}
            linked={inputsIn(hash)}
            busy={busy}
            problems={outcome !== undefined && 'problems' in outcome ? outcome.problems : NO_PROBLEMS}
            onSubmit={(asked) => void ask(asked)}
          />
        )}
        <section class="stack" aria-labelledby="answer" aria-busy={busy}>
          <h2 id="answer" ref={heading} tabIndex={-1} class={isQuoted ? undefined : 'visually-hidden'}>
            Result
          </h2>
          <Result outcome={outcome} catalog={catalog.data} />
        </section>
      </div>
    </>
  );
};
