/** Excel's limits for a sheet and a cell. The rows include the header. */
export const SHEET_LIMITS = { rows: 1_048_576, columns: 16_384, cellCharacters: 32_767 } as const;
