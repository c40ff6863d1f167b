/** Makes FedEx's fee documents for tests: the carrier's layout with other years, amounts, columns and page breaks. */
import type { PdfPage, PdfWord } from '../../../src/tariff/import/read/pdf.ts';
import { lineFrom, wordFrom } from '../../pdf.ts';

const SIZE = 5;
const LEADING = 6;
const ROW_GAP = 4;
const MARK = 2.5;

/** Lines of each column. `^1` is a small footnote mark above the line. */
export interface MadeRow {
  readonly name?: readonly string[];
  readonly services: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

/** The words of a line, with its footnote marks. */
const markedLine = (text: string, left: number, y: number, size = SIZE): PdfWord[] => {
  const words: PdfWord[] = [];
  let at = left;
  for (const piece of text.split(/(\^\d)/)) {
    if (piece.startsWith('^')) {
      words.push(wordFrom(piece.slice(1), at, y - 2.2, MARK));
      at += 2;
      continue;
    }
    const indent = piece.length - piece.trimStart().length;
    words.push(...lineFrom(piece.trimStart(), at + indent * 0.6 * size, y, size));
    at += piece.length * 0.6 * size;
  }
  return words;
};

/** Lines of a cell. A line that begins with `*` is a footnote in smaller type. */
const cellLines = (lines: readonly string[], left: number, y: number): PdfWord[] =>
  lines.flatMap((text, index) => markedLine(text, left, y + index * LEADING, text.startsWith('*') ? SIZE * 0.8 : SIZE));

/** Rows below a head at `y`. */
const table = (head: readonly string[], lefts: readonly number[], rows: readonly MadeRow[], y: number): PdfWord[] => {
  const words = head.flatMap((text, column) => lineFrom(text, lefts[column] ?? 0, y, SIZE + 1));
  let at = y + 12;
  for (const { name = [], services, cells } of rows) {
    const columns = [name, services, ...cells];
    words.push(...columns.flatMap((lines, column) => cellLines(lines, lefts[column] ?? 0, at)));
    at += Math.max(...columns.map((lines) => lines.length)) * LEADING + ROW_GAP;
  }
  return words;
};

const SHEET_LEFTS = [30, 150, 330, 468];

const note = (mark: string, text: string, y: number): PdfWord[] => [
  wordFrom(mark, 26, y - 1.5, 2),
  ...lineFrom(text, 28.5, y, SIZE * 0.8),
];

const SHARED_NOTE = 'Zones 3–4 rate also applies to U.S. Zone 22 (Intra-Alaska), U.S. Zone 14 (Intra-Oahu).';

/** A sheet of changes. The first page states from when the newer amounts apply. */
export const feeSheet = (
  pages: readonly (readonly MadeRow[])[],
  { years = ['2031', '2032'], takeEffect = 'Jan. 4, 2032' }: { years?: readonly string[]; takeEffect?: string } = {},
): PdfPage[] =>
  pages.map((rows, index) => ({
    number: index + 1,
    words: [
      ...(index === 0
        ? [
            ...lineFrom('2032 changes to FedEx fees', 330, 60, 14),
            ...lineFrom(`The following changes will take effect ${takeEffect}, unless otherwise`, 30, 90, 9),
            ...lineFrom('noted, for FedEx services.', 30, 100, 9),
          ]
        : lineFrom('2032 changes to FedEx fees (cont.)', 30, 60, 14)),
      ...table(['Surcharge name', 'Applicable services', ...years], SHEET_LEFTS, rows, 120),
      ...note('1', SHARED_NOTE, 760),
      ...note('2', 'Zones 7+ rate also applies to shipments from U.S. to Puerto Rico.', 766),
      ...lineFrom(String(index + 1), 570, 780, 12),
    ],
  }));

/** Four lines of zones. */
export const zones = (two: string, three: string, five: string, seven: string): string[] => [
  `Zone 2: $${two} per package`,
  `Zones 3–4^1: $${three} per package`,
  `Zones 5-6: $${five} per package`,
  `Zone 7+^2 : $${seven} per package`,
];

const US = ['U.S. Package Services'];
const FREIGHT = ['U.S. Express Freight Services'];
const GROUND = ['FedEx Ground®, FedEx Home Delivery®,', 'and FedEx International Ground', 'Shipments'];

/** Two pages of all charges that are taken, in another order than the carrier's, and one that is not. */
export const SHEET_ROWS: readonly (readonly MadeRow[])[] = [
  [
    {
      name: ['Residential Delivery Charge'],
      services: GROUND,
      cells: [['$7.05 per package'], ['$7.15 per package']],
    },
    {
      services: ['Maximum charge with FedEx Ground', 'Multiweight® Pricing'],
      cells: [['$70.50 per shipment'], ['$71.50 per shipment']],
    },
    { services: US, cells: [['$8 per package'], ['$8.20 per package']] },
    {
      services: ['Maximum charge with FedEx Express', 'Multiweight® Pricing'],
      cells: [['$80 per shipment'], ['$82 per shipment']],
    },
    { services: FREIGHT, cells: [['$215 per shipment'], ['$230 per shipment']] },
    {
      name: ['Address Correction'],
      services: ['U.S. Package Services, International', 'Package Services'],
      cells: [['$30 per correction'], ['$31.50 per correction']],
    },
    {
      name: ['Oversize Charge'],
      services: US,
      cells: [zones('300', '310', '320', '1,330.50'), zones('400', '410', '420', '1,430.50')],
    },
    {
      services: ['FedEx Home Delivery Shipments'],
      cells: [zones('300', '310', '320', '1,330.50'), zones('401', '411', '421', '1,431.50')],
    },
    {
      name: ['Additional Handling Surcharge'],
      services: ['International Package Services'],
      cells: [['$27 per package (Dimension)'], ['$29.50 per package (Dimension)']],
    },
    {
      services: US,
      cells: [
        ['Dimension:', ...zones('31', '32', '33*', '34'), '*Effective July 13, 2031'].map((line) =>
          line.replace('* per package', ' per package*'),
        ),
        ['Dimension:', ...zones('41', '42', '43', '44')],
      ],
    },
    // The cells go on on the next page.
    { services: US, cells: [['Weight:', ...zones('51', '52', '53', '54').slice(0, 2)], ['Weight:']] },
  ],
  [
    {
      services: [],
      cells: [zones('51', '52', '53', '54').slice(2), zones('61', '62', '63', '64')],
    },
    {
      name: ['Additional Handling Surcharge (cont.)'],
      services: US,
      cells: [
        ['Packaging:', ...zones('25', '26', '27', '28')],
        ['Packaging:', ...zones('35', '36', '37', '38')],
      ],
    },
    {
      name: ['Delivery Area Surcharge'],
      services: ['U.S. Package Services (Extended', 'Residential)'],
      cells: [['$9 per package'], ['$9.10 per package']],
    },
    { services: ['U.S. Package Services (Residential)'], cells: [['$7 per package'], ['$7.10 per package']] },
    { services: ['U.S. Package Services (Commercial)'], cells: [['$5 per package'], ['$5.10 per package']] },
    {
      services: ['U.S. Package Services', '(Extended Commercial)'],
      cells: [['$6 per package'], ['$6.10 per package']],
    },
    {
      services: ['U.S. Package Services (Remote', 'Commercial, Remote Residential)'],
      cells: [['$17 per package'], ['$17.10 per package']],
    },
    {
      services: ['Alaska Package Services', '(Residential, Commercial)'],
      cells: [['$50 per package'], ['$50.10 per package']],
    },
    {
      services: ['Hawaii Package Services', '(Residential, Commercial)'],
      cells: [['$18 per package'], ['$18.10 per package']],
    },
    {
      services: [
        'Maximum charge with FedEx Express',
        'Multiweight Pricing and FedEx Ground',
        'Multiweight Pricing (Residential,',
        'Commercial, Extended Residential,',
        'Extended Commercial, Remote',
        'Commercial, Remote Residential)',
      ],
      cells: [
        [
          '$50 per shipment (Commercial)',
          '$60 per shipment (Extended',
          'Commercial)',
          '$70 per shipment (Residential)',
          '$90 per shipment (Extended Residential)',
          '$170 per shipment (Remote Commercial,',
          'Remote Residential)',
        ],
        [
          '$51 per shipment (Commercial)',
          '$61 per shipment (Extended Commercial)',
          '$71 per shipment (Residential)',
          '$91 per shipment (Extended Residential)',
          '$171 per shipment (Remote Commercial,',
          'Remote Residential)',
        ],
      ],
    },
    {
      name: ['FedEx® Delivery Signature', 'Options'],
      services: ['U.S. Package Services,', 'FedEx International Ground Shipments'],
      cells: [
        [
          'Adult Signature Required: $9 per package',
          'Direct Signature Required, Indirect',
          'Signature Required: $8 per package',
        ],
        [
          'Adult Signature Required: $9.90',
          'per package',
          'Direct Signature Required, Indirect',
          'Signature Required: $8.80 per package',
        ],
      ],
    },
    {
      services: ['Maximum charge with FedEx Express', 'Multiweight or FedEx Ground', 'Multiweight Pricing'],
      cells: [
        [
          'Adult Signature Required: $90',
          'per shipment',
          'Direct Signature Required, Indirect',
          'Signature Required: $80 per shipment',
        ],
        [
          'Adult Signature Required: $99',
          'per shipment',
          'Direct Signature Required, Indirect',
          'Signature Required: $88 per shipment',
        ],
      ],
    },
    {
      name: ['Declared Value'],
      services: US,
      cells: [
        [
          '$6 for shipments valued between',
          '$100.01–$300',
          '$2 per $100 of declared value for',
          'shipments valued in excess of $300',
        ],
        [
          '$6.30 for shipments valued between',
          '$100.01–$300',
          '$2.10 per $100 of declared value for',
          'shipments valued in excess of $300',
        ],
      ],
    },
    {
      name: ['Ground Unauthorized', 'Package Charge'],
      services: GROUND,
      cells: [['$2,000 per package*', '*Effective Aug. 3, 2031'], ['$2,100 per package']],
    },
    {
      name: ['Saturday Delivery'],
      services: ['FedEx Priority Overnight, FedEx 2Day'],
      cells: [['$17 per package'], ['$18 per package']],
    },
  ],
];

const GUIDE_LEFTS = [36, 300, 450];

export interface MadeFee {
  readonly name: string;
  /** Whether it is the title of another part, in large type. */
  readonly isPart?: true;
  readonly definition: readonly string[];
  readonly rows: readonly MadeRow[];
}

/** Fees below each other, with headings in larger type. The heads of the columns are so much to the right of the cells. */
const feeList = (fees: readonly MadeFee[], head: readonly string[], y: number, indent = 4): PdfWord[] => {
  const words = head.flatMap((text, column) => lineFrom(text, (GUIDE_LEFTS[column] ?? 0) + indent, y, SIZE + 0.5));
  let at = y + 16;
  for (const { name, isPart, definition, rows } of fees) {
    words.push(...markedLine(name, GUIDE_LEFTS[0] ?? 0, at, SIZE * (isPart ? 1.8 : 1.2)));
    at += LEADING;
    words.push(...cellLines(definition, GUIDE_LEFTS[0] ?? 0, at));
    let row = at;
    for (const { services, cells } of rows) {
      const columns = [services, ...cells];
      words.push(...columns.flatMap((lines, column) => cellLines(lines, GUIDE_LEFTS[column + 1] ?? 0, row)));
      row += Math.max(...columns.map((lines) => lines.length)) * LEADING + ROW_GAP;
    }
    at = Math.max(at + definition.length * LEADING, row) + 10;
  }
  return words;
};

/** The fee section of a Service Guide, behind a cover and a page of rates. */
export const feeGuide = (
  pages: readonly (readonly MadeFee[])[],
  dates = 'Effective January 4, 2032 | Updated May 3, 2032',
): PdfPage[] => [
  { number: 1, words: lineFrom('SERVICE GUIDE Effective January 4, 2032', 36, 80, 18) },
  { number: 2, words: [...lineFrom('U.S. package rates: Zone 2', 36, 58, 14), ...lineFrom('1 lb. 9.99', 40, 192)] },
  ...pages.map((fees, index) => ({
    number: index + 3,
    words: [
      ...lineFrom('Other transportation-related fees and shipping information', 36, 40, 12),
      ...lineFrom(index === 0 ? dates : 'Fees (cont.)', 36, 52, 7),
      ...feeList(fees, ['Definition', 'Applicable services²', 'Charges'], 70),
      ...note('1', 'Charges shown do not include any fuel surcharge that may be applicable.', 760),
      ...lineFrom(String(index + 126), 299, 780, 6),
      ...lineFrom('fedex.com', 442, 780, 7),
      ...lineFrom('1.800.GoFedEx', 485, 780, 5.2),
    ],
  })),
];

/** The fees of FedEx Ground Economy. Its charges begin far to the left of their head. */
export const economyFees = (fees: readonly MadeFee[], effective = 'Effective January 4, 2032'): PdfPage[] => [
  {
    number: 1,
    words: [
      ...lineFrom('FedEx Ground® Economy fees and', 200, 130, 14),
      ...lineFrom('other shipping information', 200, 150, 14),
      ...lineFrom(effective, 200, 180, 10),
    ],
  },
  {
    number: 2,
    words: [
      ...lineFrom('Fees and other shipping information', 36, 50, 14),
      ...feeList(fees, ['DEFINITION', 'APPLICABLE SERVICES', 'CHARGES'], 70, 12),
      ...lineFrom('1', 303, 766, 9),
    ],
  },
];

const zoneLines = (two: string, three: string, five: string, seven: string): string[] => [
  `Zone 2: $${two} per package`,
  `Zones 3–4 * : $${three} per package`,
  `Zones 5–6: $${five} per package`,
  `Zones 7+ ** : $${seven} per package`,
];

const ZONE_NOTES = [
  '* Zones 3–4 rate also applies to U.S. Zone',
  '22 (Intra-Alaska), U.S. Zone 14 (Intra-Oahu).',
  '** Zones 7+ rate also applies to Puerto Rico.',
];

/** The newer charges of `SHEET_ROWS` as a guide states them, and the charge within Hawaii. */
export const GUIDE_FEES: readonly (readonly MadeFee[])[] = [
  [
    {
      name: 'Additional Handling Surcharge^3',
      definition: [
        '1) measures greater than 48 inches along its longest side;',
        '2) measures greater than 30 inches along its second-longest',
        'side; 3) measures greater than 105 inches in length and girth;',
        '4) measures greater than 10,368 inches cubic volume.^4 Rating',
        'is subject to a 40-lb. minimum billable weight.',
        '• has an actual weight greater than 50 lbs. (U.S. Package',
        'Services);',
      ],
      rows: [
        {
          services: US,
          cells: [
            [
              'Dimension:',
              ...zoneLines('41', '42', '43', '44'),
              'Weight:',
              ...zoneLines('61', '62', '63', '64'),
              'Packaging:',
              ...zoneLines('35', '36', '37', '38'),
              ...ZONE_NOTES,
            ],
          ],
        },
        { services: ['International Package Services'], cells: [['$29.50 per package (dimension)']] },
      ],
    },
    {
      name: 'Demand — Oversize Charge',
      definition: ['During specified times of the year.'],
      rows: [{ services: ['All Services'], cells: [['Go to fedex.com for information.']] }],
    },
    {
      name: 'Oversize Charge^3',
      definition: [
        '1) measures greater than 96 inches along its longest side;',
        '2) measures greater than 130 inches in length and girth;',
        '3) measures greater than 17,280 inches in cubic volume;',
        '4) has an actual weight greater than 110 lbs.',
      ],
      rows: [{ services: US, cells: [zoneLines('400', '410', '420', '1,430.50')] }],
    },
  ],
  [
    {
      name: 'Oversize Charge^3 (cont.)',
      definition: ['Rating is subject to a 90-lb. minimum billable weight.'],
      rows: [
        {
          services: ['FedEx Home Delivery Shipments'],
          cells: [[...zoneLines('401', '411', '421', '1,431.50'), ...ZONE_NOTES]],
        },
      ],
    },
    {
      name: 'Ground Unauthorized Package Charge',
      definition: [
        '• Any package measuring more than 108 inches in length.',
        '• Any package measuring more than 165 inches in length and',
        'girth combined. • Any package weighing more than 150 lbs.',
        'Rating is subject to a 90-lb. minimum billable weight.',
      ],
      rows: [{ services: GROUND, cells: [['$2,100 per package']] }],
    },
    {
      name: 'Declared Value',
      definition: ['See the terms.'],
      rows: [
        {
          services: US,
          cells: [
            [
              '• $6.30 for shipments valued between',
              '  $100.01–$300',
              '• $ 2.10 per $100 of declared value for',
              '  shipments valued in excess of $300',
            ],
          ],
        },
        { services: FREIGHT, cells: [['$2.10 per $100 of value']] },
      ],
    },
    {
      name: 'Delivery Area Surcharge',
      definition: [
        'For FedEx Ground and FedEx Home Delivery shipments that',
        'exceed 70 lbs. and are destined to an Alaska ZIP code, the',
        'fee will be 3.5 times the Alaska charge.',
      ],
      rows: [
        { services: US, cells: [['Per-Package Maximum', 'Charge Charge']] },
        { services: ['Commercial'], cells: [['$5.10 $51']] },
        { services: ['Extended Commercial'], cells: [['$6.10 $61']] },
        { services: ['Residential'], cells: [['$7.10 $71']] },
        { services: ['Extended Residential'], cells: [['$9.10 $91']] },
        { services: ['Remote (Commercial and Residential)'], cells: [['$17.10 $171']] },
        { services: ['Alaska (Commercial and Residential)'], cells: [['$50.10 Not applicable']] },
        { services: ['Hawaii (Commercial and Residential)'], cells: [['$18.10 Not applicable']] },
        { services: ['Intra-Hawaii (Commercial and Residential)^5'], cells: [['$1.30 Not applicable']] },
      ],
    },
    {
      name: 'FedEx® Delivery Signature Options',
      definition: [
        'The maximum charge is $88 per shipment for Indirect',
        'Signature Required, $88 per shipment for Direct Signature',
        'Required, and $99 per shipment for Adult Signature Required.',
      ],
      rows: [
        {
          services: ['U.S. Package Services,', 'FedEx International Ground Shipments'],
          cells: [
            [
              '• $8.80 per package (Indirect',
              '  Signature Required)',
              '• $8.80 per package (Direct',
              '  Signature Required)',
              '• $9.90 per package (Adult',
              '  Signature Required)',
            ],
          ],
        },
      ],
    },
    {
      name: 'Residential Delivery Charge',
      definition: [
        'For shipments receiving FedEx Express Multiweight pricing, the',
        'maximum charge is $82 per shipment. For shipments receiving',
        'contract-only FedEx Ground Multiweight pricing, the maximum',
        'charge is $71.50 per shipment.',
      ],
      rows: [
        { services: US, cells: [['$8.20 per package']] },
        { services: GROUND, cells: [['$7.15 per package']] },
      ],
    },
    {
      name: 'Saturday Delivery',
      definition: ['Saturday delivery is available for an additional charge.'],
      rows: [
        {
          services: [
            'FedEx Priority Overnight, FedEx 2Day',
            '(charge is not applied to shipments',
            'rated as FedEx Multiweight)',
          ],
          cells: [['$18 per package']],
        },
      ],
    },
    {
      name: 'Third Party Billing Surcharge',
      definition: ['A surcharge will apply.'],
      rows: [{ services: ['All Services'], cells: [['5.0% of transportation charges']] }],
    },
    { name: 'Non-transportation fees', isPart: true, definition: ['Late Payment Fee 9.9% of balance'], rows: [] },
  ],
];
