/** Changes to bytes: what transport, other programs and hostile senders do to a genuine file. */
import fc from 'fast-check';

/** A position, as a fraction of the current length. */
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

export type Mutation =
  | { readonly kind: 'set'; readonly at: number; readonly byte: number }
  | { readonly kind: 'insert'; readonly at: number; readonly token: string }
  | { readonly kind: 'overwrite'; readonly at: number; readonly token: string }
  | { readonly kind: 'remove'; readonly at: number; readonly length: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly kind: 'move'; readonly at: number; readonly length: number; readonly to: number }
  | { readonly kind: 'cut'; readonly at: number };

const MOST_BYTES = 1024 * 1024;

/** Tokens are Latin-1: each character is a byte. */
export const mutations = (tokens: readonly string[], most = 6): fc.Arbitrary<readonly Mutation[]> => {
  const token = fc.constantFrom(...tokens);
  const length = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 4_096 }));
  const mutation: fc.Arbitrary<Mutation> = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), at: place, byte: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ kind: fc.constant('insert' as const), at: place, token }),
    fc.record({ kind: fc.constant('overwrite' as const), at: place, token }),
    fc.record({ kind: fc.constant('remove' as const), at: place, length }),
    fc.record({ kind: fc.constant('repeat' as const), at: place, length, times: fc.integer({ min: 1, max: 2_000 }) }),
    fc.record({ kind: fc.constant('move' as const), at: place, length, to: place }),
    fc.record({ kind: fc.constant('cut' as const), at: place }),
  );
  return fc.array(mutation, { maxLength: most });
};

const splice = (bytes: Buffer, at: number, removed: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + removed)]);

const mutatedBy = (bytes: Buffer, mutation: Mutation): Buffer => {
  const at = Math.floor(mutation.at * bytes.length);
  switch (mutation.kind) {
    case 'set':
      return splice(bytes, at, 1, Buffer.of(mutation.byte));
    case 'insert':
      return splice(bytes, at, 0, Buffer.from(mutation.token, 'latin1'));
    case 'overwrite':
      return splice(bytes, at, mutation.token.length, Buffer.from(mutation.token, 'latin1'));
    case 'remove':
      return splice(bytes, at, mutation.length, Buffer.alloc(0));
    case 'repeat': {
      const block = bytes.subarray(at, at + mutation.length);
      const times = Math.min(mutation.times, Math.floor((MOST_BYTES - bytes.length) / Math.max(1, block.length)));
      return splice(bytes, at, 0, Buffer.concat(Array<Buffer>(Math.max(0, times)).fill(block)));
    }
    case 'move': {
      const block = bytes.subarray(at, at + mutation.length);
      return splice(
        splice(bytes, at, mutation.length, Buffer.alloc(0)),
        Math.floor(mutation.to * bytes.length),
        0,
        block,
      );
    }
    case 'cut':
      return bytes.subarray(0, at);
    default:
      return mutation satisfies never;
  }
};

export const mutated = (bytes: Buffer, all: readonly Mutation[]): Buffer => all.reduce(mutatedBy, bytes);
