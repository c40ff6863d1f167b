/**
 * The name of the sheet that sums up a workbook of the service. Such a sheet is no list: the reader of lists passes it over
 * when it comes first, so that a workbook from the service can be uploaded again. Programs that save a workbook keep names.
 */
export const SUMMARY_SHEET = 'Summary of quotes';
