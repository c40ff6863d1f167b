import { describe, expect, test } from 'vitest';
import { fedexAreaText } from '../../src/import/fedex/areas.ts';
import { type ParsedFile, RefusedFile } from '../../src/import/read/reader.ts';
import { pdfReader } from '../../src/import/source.ts';
import { lineFrom, pdfWith } from '../pdf.ts';

const TITLE = 'Delivery Area Surcharge ZIP codes';
const FOOTER = ['DESTINATION ZIP CODES:', 'The list may change at any time. Effective June 2, 2025', ''];
const LIST = [
  ...['Contents', 'Contiguous U.S.: Extended', 'Effective June 2, 2025', 'How to: 1. Look. 2. Find.', TITLE, ...FOOTER],
  ...[`${TITLE}: Contiguous U.S.`, 'For a list of the ZIP codes, see below.', '01002 ', '01007 ', '', ...FOOTER],
  ...[`${TITLE}: Contiguous U.S. (cont.)`, '01010', ...FOOTER],
  ...[`${TITLE}: Contiguous U.S.: Extended`, '01005', ...FOOTER],
  ...[`${TITLE}: Contiguous U.S.: Remote`, '01026', ...FOOTER],
  ...[`${TITLE}: Alaska A surcharge will apply to areas of Alaska.`, '99540', ...FOOTER],
  ...[`${TITLE}: Hawaii A surcharge will apply.`, '96703', ...FOOTER],
  ...[`${TITLE}: Intra-Hawaii A surcharge applies to FedEx Ground® shipments.`, '96701', '96703'],
];

const readText = (lines: readonly string[]): Promise<ParsedFile> =>
  fedexAreaText.read(Buffer.from(lines.join('\n')), {});
const readPages = (pages: readonly (readonly string[])[]): Promise<ParsedFile> =>
  pdfReader.read(
    pdfWith(
      pages.map((lines, page) => ({
        number: page + 1,
        words: lines.flatMap((line, at) => lineFrom(line, 40, 60 + 12 * at)),
      })),
    ),
    {},
  );
/** The lists, each as its ZIP codes and tiers. */
const listsOf = ({ areas }: ParsedFile) =>
  Object.fromEntries(
    areas.map(({ name, list }) => [name, list.rows.map(({ zip, tier }) => `${zip} ${tier}`).join(', ')]),
  );
const LISTS = {
  'fedex-das':
    '01002 standard, 01007 standard, 01010 standard, 01005 extended, 01026 remote, 99540 alaska, 96703 hawaii',
  'fedex-das-intra-hawaii': '96701 intra-hawaii, 96703 intra-hawaii',
};

test('reads the list as text: a tier for each section, a list of its own for shipments within Hawaii', async () => {
  expect(fedexAreaText.accepts(Buffer.from(LIST.join('\r\n')))).toBe(true);
  const reading = await readText(LIST);
  expect(listsOf(reading)).toEqual(LISTS);
  expect(reading).toMatchObject({
    kind: 'FedEx delivery areas (text)',
    effective: '2025-06-02',
    unreadable: [],
    areas: [{ carrier: 'FedEx' }, { carrier: 'FedEx' }],
  });
});

test('reads it in Latin-1 and in UTF-16 too', async () => {
  expect(listsOf(await fedexAreaText.read(Buffer.from(LIST.join('\n'), 'latin1'), {}))).toEqual(LISTS);
  const wide = Buffer.from(`\uFEFF${LIST.join('\r\n')}`, 'utf16le');
  expect(fedexAreaText.accepts(wide)).toBe(true);
  expect(listsOf(await fedexAreaText.read(wide, {}))).toEqual(LISTS);
});

test('does not take other texts and CSVs', () => {
  for (const text of ['', 'zip,tier\n01002,standard', 'ZIP codes with a delivery area surcharge'])
    expect(fedexAreaText.accepts(Buffer.from(text))).toBe(false);
});

describe('as a PDF', () => {
  test('reads columns below the heading of each page', async () => {
    const reading = await readPages([
      ['Contents', TITLE, 'Effective June 2, 2025'],
      [`${TITLE}: Contiguous U.S.`, '01002 01010', '01007', 'Effective June 2, 2025', '2'],
      [`${TITLE}: Contiguous U.S.: Extended (cont.)`, '01005'],
      ['01006'],
      ['01008', `${TITLE}:`, 'Contiguous U.S.: Remote', '01026'],
    ]);
    expect(reading).toMatchObject({ kind: 'FedEx delivery areas (PDF)', effective: '2025-06-02', unreadable: [] });
    expect(listsOf(reading)).toEqual({
      'fedex-das':
        '01002 standard, 01010 standard, 01007 standard, 01005 extended, 01006 extended, 01008 extended, 01026 remote',
    });
  });

  test('refuses a section that begins below several columns', async () => {
    const page = [`${TITLE}: Alaska`, '99540'];
    await expect(readPages([page, ['99546 99547', `${TITLE}: Hawaii`, '96703']])).rejects.toThrow(
      'page 2: a section begins below several columns of ZIP codes',
    );
  });

  test('names pages', async () => {
    const { unreadable } = await readPages([
      [`${TITLE}: Alaska`, '99540'],
      [`${TITLE}: Hawaii`, '99540', '9670'],
    ]);
    expect(unreadable).toEqual([
      { at: 'page 2', text: '99540', problem: 'is hawaii here, but alaska on page 1' },
      { at: 'page 2', text: '9670', problem: 'not a ZIP code of five digits' },
    ]);
  });
});

describe('what it cannot read', () => {
  const problemsOf = async (...lines: string[]) => (await readText(lines)).unreadable;
  const ALASKA = [`${TITLE}: Alaska`, '99540'];

  test('is a ZIP code in two tiers, with both places', async () => {
    expect(await problemsOf(...ALASKA, `${TITLE}: Hawaii`, '96703', '99540')).toEqual([
      { at: 'line 5', text: '99540', problem: 'is hawaii here, but alaska on line 2' },
    ]);
  });

  test('is a ZIP code before the first section', async () => {
    expect(await problemsOf(TITLE, 'See 01002 and', '01007', ...ALASKA)).toEqual([
      { at: 'line 2', text: '01002 and 1 more', problem: 'stands outside a section' },
    ]);
  });

  test('is a section that is not known', async () => {
    expect(
      await problemsOf(...ALASKA, `${TITLE}: Guam`, '96910', '96913', `${TITLE}: Contiguous U.S.: Far`, '01002'),
    ).toEqual([
      { at: 'line 3', text: '96910 and 1 more', problem: `stands in a section that is not known: ${TITLE}: Guam` },
      { at: 'line 6', text: '01002', problem: `stands in a section that is not known: ${TITLE}: Contiguous U.S.: Far` },
    ]);
  });

  test.each(['1002', '010020', '01002-1234', '010', 'O1002'])('is %s in a section', async (word) => {
    expect(await problemsOf(...ALASKA, word)).toEqual([
      { at: 'line 3', text: word, problem: 'not a ZIP code of five digits' },
    ]);
  });

  test('is a second date', async () => {
    expect(await problemsOf(...ALASKA, 'Effective June 2, 2025', 'Effective July 6, 2026')).toEqual([
      { at: 'line 4', text: 'Effective 2026-07-06', problem: 'differs from 2025-06-02 on line 3' },
    ]);
  });

  test('is a list without a ZIP code', async () => {
    await expect(readText([TITLE, `${TITLE}: Alaska`])).rejects.toThrow(RefusedFile);
  });
});
