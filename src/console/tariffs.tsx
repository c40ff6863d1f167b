/** The page of tariffs: those in force and to come, and of one service the zones from a warehouse and the rate card. */
import { useApi } from './api.ts';
import { useLoad } from './load.ts';
import { Details } from './tariffs/details.tsx';
import { TariffList } from './tariffs/tariff-list.tsx';
import { UnchartedNotice } from './tariffs/uncharted.tsx';
import './tariffs/tariffs.css';
import { FaultNotice } from './ui/notice.tsx';
import { Skeleton } from './ui/state.tsx';

export const TariffsPage = () => {
  const api = useApi();
  const loaded = useLoad(
    async (signal) => {
      const [{ tariffs, uncharted }, { warehouses }, centroids] = await Promise.all([
        api.call('tariffs', { signal }),
        api.call('warehouses', { signal }),
        api.call('centroids', { signal }),
      ]);
      return { tariffs, uncharted, warehouses, centroids };
    },
    [api],
  );
  return (
    <>
      <h1>Tariffs</h1>
      {loaded.state === 'failed' ? <FaultNotice fault={loaded.fault} retry={loaded.reload} /> : null}
      {loaded.data === undefined ? (
        loaded.state === 'failed' ? null : (
          <Skeleton lines={12} label="Loading tariffs" />
        )
      ) : (
        <>
          <UnchartedNotice uncharted={loaded.data.uncharted} />
          <TariffList tariffs={loaded.data.tariffs} />
          <Details {...loaded.data} />
        </>
      )}
    </>
  );
};
