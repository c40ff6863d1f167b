/** The capacity of the service, from the costs of rows, chunks and quotes. Processor seconds are those of one core. */

/** The default number of rows of a chunk. */
export const CHUNK_ROWS = 5_000;

export interface Costs {
  /** Processor seconds. */
  readonly workerPerRow: number;
  readonly apiPerRow: number;
  readonly apiPerQuote: number;
  readonly redisPerChunk: number;
  readonly redisPerQuote: number;
  readonly storePerChunk: number;
  /** Of Redis, for each idle worker process and second. */
  readonly redisPerIdleWorker: number;
  /** In both directions. */
  readonly redisBytesPerChunk: number;
  readonly storeBytesPerChunk: number;
}

export interface Model {
  readonly rowsPerWorkerCore: number;
  readonly quotesPerApiCore: number;
  /** How many workers, each with its own core, keep one core of Redis busy. */
  readonly workersPerRedis: number;
  /** How many workers keep one core of the store busy, and how many fill 10 Gbit/s of its network. */
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

/** The cores that this many rows a day keep busy, spread evenly. */
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
