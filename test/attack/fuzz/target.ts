/** The target of a fuzzer: a reader of the product, run in a process that can be killed. */

/** One input, as it is sent to the process. */
export interface Input {
  readonly bytes: Buffer;
  /** Parameters of the call, such as options of an upload. */
  readonly said?: Readonly<Record<string, unknown>> | undefined;
}

/** @returns the outcome of an input in a few words @throws if the outcome is not clear */
export type Feed = (input: Input) => Promise<string>;

/** Prepares what all inputs share. */
export type Target = () => Promise<Feed>;

export const TARGET_NAMES = [
  'csv',
  'workbook',
  'json',
  'multipart',
  'pdf',
  'tariff',
  'source',
  'clients',
  'agreement',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** The child's message about one input. */
export type Told =
  | { readonly outcome: string; readonly peakMb: number }
  | { readonly failure: string; readonly peakMb: number };
