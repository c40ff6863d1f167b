/**
 * The name of the summary sheet in a workbook from this service. The reader of lists skips this sheet if it comes
 * first, so such a workbook can be uploaded again. Programs that save a workbook keep sheet names.
 */
export const SUMMARY_SHEET = 'Summary of quotes';
