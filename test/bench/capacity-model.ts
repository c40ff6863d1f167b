/** How far the service goes, from what rows, chunks and quotes cost its parts. Processor seconds are those of one core. */

/** Rows of a chunk where nothing else is set. */
export const CHUNK_ROWS = 5_000;

export interface Costs {
  /** Processor seconds. */
  readonly workerPerRow: number;
  readonly apiPerRow: number;
  readonly apiPerQuote: number;
  readonly redisPerChunk: number;
  readonly redisPerQuote: number;
  readonly storePerChunk: number;
  /** Of Redis, for each worker process and second, without any work. */
  readonly redisPerIdleWorker: number;
  /** Both ways. */
  readonly redisBytesPerChunk: number;
  readonly storeBytesPerChunk: number;
}

export interface Model {
  readonly rowsPerWorkerCore: number;
  readonly quotesPerApiCore: number;
  /** Workers, each with a core of its own, that keep one core of Redis busy. */
  readonly workersPerRedis: number;
  /** Workers that keep one core of the store busy, and those that fill 10 Gbit/s of its network. */
  readonly workersPerStoreCore: number;
  readonly workersPerStoreLink: number;
}

const LINK_BYTES = 10 ** 10 / 8;

export const modelOf = (costs: Costs): Model => {
  const rowsPerWorkerCore = 1 / costs.workerPerRow;
  const chunksPerWorkerCore = rowsPerWorkerCore / CHUNK_ROWS;
  return {
    rowsPerWorkerCore,
    quotesPerApiCore: 1 / costs.apiPerQuote,
    workersPerRedis: 1 / (chunksPerWorkerCore * costs.redisPerChunk + costs.redisPerIdleWorker),
    workersPerStoreCore: 1 / (chunksPerWorkerCore * costs.storePerChunk),
    workersPerStoreLink: LINK_BYTES / (chunksPerWorkerCore * costs.storeBytesPerChunk),
  };
};

/** Cores that so many rows in a day keep busy, spread evenly over it. */
export interface Need {
  readonly rowsPerSecond: number;
  readonly chunksPerSecond: number;
  readonly workerCores: number;
  readonly apiCores: number;
  readonly redisCores: number;
  readonly storeCores: number;
  readonly storeBytesPerSecond: number;
}

const DAY_SECONDS = 86_400;

export const needOf = (rowsPerDay: number, costs: Costs): Need => {
  const rowsPerSecond = rowsPerDay / DAY_SECONDS;
  const chunksPerSecond = rowsPerSecond / CHUNK_ROWS;
  const workerCores = rowsPerSecond * costs.workerPerRow;
  return {
    rowsPerSecond,
    chunksPerSecond,
    workerCores,
    apiCores: rowsPerSecond * costs.apiPerRow,
    redisCores: chunksPerSecond * costs.redisPerChunk + Math.ceil(workerCores) * costs.redisPerIdleWorker,
    storeCores: chunksPerSecond * costs.storePerChunk,
    storeBytesPerSecond: chunksPerSecond * costs.storeBytesPerChunk,
  };
};
