/** The page that a link to a result opens: read-only, without a sign-in. */
import { useEffect, useMemo } from 'preact/hooks';
import { ApiContext, linkApi, useApi, useCall, useLoad } from '../api.ts';
import { SharedBatch } from '../batch.tsx';
import { SharedComparison } from '../comparison.tsx';
import { ThemeToggle } from '../theme.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { instant } from '../ui/format.ts';
import { isMissing, Logo, Missing, useAct } from '../ui/kit.tsx';
import { ServiceNames } from '../ui/service-names.tsx';

interface FileProps {
  readonly of: 'batches' | 'comparisons';
  readonly id: string;
  readonly format: 'csv' | 'xlsx';
  /** The name of the list, without its file extension. */
  readonly name: string;
  readonly label: string;
}

/** Downloads with the token in a header, so that no URL contains it. */
const File = ({ of, id, format, name, label }: FileProps) => {
  const api = useApi();
  const act = useAct();
  const download = () =>
    act.run(async () => {
      const answer = await api.answerOf(`GET /v1/client/shipment/rates/${of}/{id}/output`, { id, query: { format } });
      const url = URL.createObjectURL(await answer.blob());
      Object.assign(document.createElement('a'), { href: url, download: `${name}.${format}` }).click();
      URL.revokeObjectURL(url);
    });
  return (
    <>
      <Button busy={act.busy} onClick={() => void download()}>
        {label}
      </Button>
      <FaultNotice fault={act.fault} />
    </>
  );
};

const Result = ({ token }: { readonly token: string }) => {
  const api = useApi();
  const [id = ''] = token.split('.');
  const isComparison = id.startsWith('c');
  const loaded = useLoad(
    async (signal) => {
      const link = await api.call('GET /shared/link', { signal });
      return isComparison
        ? { link, comparison: await api.call('GET /v1/client/shipment/rates/comparisons/{id}', { id, signal }) }
        : { link, batch: await api.call('GET /v1/client/shipment/rates/batches/{id}', { id, signal }) };
    },
    [api, id],
  );
  const known = useCall('GET /v1/client/services');
  const title = (loaded.data?.batch ?? loaded.data?.comparison)?.filename;
  useEffect(() => {
    document.title = `${title ?? 'Shared result'} · Shipping rates`;
  }, [title]);
  if (isMissing(loaded))
    return (
      <Missing title="This link does not work" text="It expired or was revoked, or the result was deleted.">
        <p>Ask the person who sent it to you for a new one.</p>
      </Missing>
    );
  if (loaded.state === 'failed')
    return (
      <>
        <h1>Shared result</h1>
        <FaultNotice fault={loaded.fault} retry={loaded.reload} />
      </>
    );
  const { data } = loaded;
  if (data === undefined) return <Skeleton lines={8} label="Loading the result" />;
  const one = data.batch ?? data.comparison;
  const file = {
    of: isComparison ? 'comparisons' : 'batches',
    id,
    name: one.filename.replace(/\.\w{1,7}$/, ''),
  } as const;
  const files = one.status !== 'expired' && (
    <>
      <File {...file} format="csv" label="Download CSV" />
      <File {...file} format="xlsx" label="Download Excel" />
    </>
  );
  return (
    <ServiceNames of={known.data?.services}>
      <p class="hint">
        {data.link.owner} shared this result. The link works until {instant(data.link.endsAt)}.
      </p>
      {data.batch === undefined ? (
        <SharedComparison comparison={data.comparison} files={files} />
      ) : (
        <SharedBatch batch={data.batch} files={files} />
      )}
    </ServiceNames>
  );
};

export default ({ token }: { readonly token: string }) => {
  const api = useMemo(() => linkApi(token), [token]);
  return (
    <ApiContext.Provider value={api}>
      <header class="header screen-only">
        <span class="brand">
          <Logo />
        </span>
        <div class="who">
          <span>Shared result</span>
          <ThemeToggle />
        </div>
      </header>
      <main class="page" id="main">
        <Result token={token} />
      </main>
    </ApiContext.Provider>
  );
};
