/** What a fuzzer feeds: a reader of the product, run in a process that can be killed. */

/** One input, as it travels to the process. */
export interface Input {
  readonly bytes: Buffer;
  /** What a caller says with it, such as options of an upload. */
  readonly said?: Readonly<Record<string, unknown>> | undefined;
}

/** @returns in a few words what came of an input; throws where it is not a clear outcome */
export type Feed = (input: Input) => Promise<string>;

/** Makes ready what all inputs share. */
export type Target = () => Promise<Feed>;

export const TARGET_NAMES = ['csv', 'workbook', 'json', 'multipart', 'pdf', 'tariff', 'source', 'clients'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** What the child says of one input. */
export type Told =
  | { readonly outcome: string; readonly peakMb: number }
  | { readonly failure: string; readonly peakMb: number };
