/** Excel's limits for a sheet, a cell and a sheet's name. The rows include the header. */
export const SHEET_LIMITS = { rows: 1_048_576, columns: 16_384, cellCharacters: 32_767, nameCharacters: 31 } as const;
