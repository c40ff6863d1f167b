/** The first bytes of file types. This module has no imports because the console uses it too. */

/** A ZIP archive with at least one entry, such as any XLSX file. */
export const ZIP = [0x50, 0x4b, 0x03, 0x04] as const;
export const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06] as const;
export const PARQUET = [0x50, 0x41, 0x52, 0x31] as const;
export const GZIP = [0x1f, 0x8b] as const;
/** The compound file format: Office files before 2007, and password-protected ones. */
export const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const;

/** Matches any byte. */
export const ANY = -1;

export const beginsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => byte === ANY || bytes[at] === byte);
