/** Folders of agreements: read and checked. Valid ones are also used for quotes, written again and read again. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOf } from '../../../../src/catalog/agreement/account.ts';
import { checkAgreement } from '../../../../src/catalog/agreement/check/check.ts';
import { checkAgainst } from '../../../../src/catalog/agreement/check/check-against.ts';
import { readAgreementFolder, writeAgreementFolder } from '../../../../src/catalog/agreement/folder.ts';
import { agreementId } from '../../../../src/catalog/agreement/versions.ts';
import { hasErrors } from '../../../../src/catalog/tariff/check/check.ts';
import type { Finding } from '../../../../src/catalog/tariff/document.ts';
import { scheduleOf } from '../../../../src/catalog/tariff/schedule.ts';
import { sampleAgreement } from '../agreement-samples.ts';
import type { Target } from '../target.ts';
import { FULL } from '../tariff-samples.ts';
import { checkQuotes } from './tariff.ts';

const said = (findings: readonly Finding[]): readonly Finding[] => {
  for (const { at, message } of findings)
    if (at === '' || message === '') throw new Error('a finding without a reason');
  return findings;
};

export const agreementTarget: Target = async () => {
  const root = await mkdtemp(join(tmpdir(), 'rates-fuzz-'));
  const samples = await sampleAgreement(root);
  const schedule = scheduleOf([FULL]);
  return async ({ bytes, said: parameters }) => {
    const sample = samples.find(({ name }) => name === parameters?.['name']);
    if (sample === undefined) throw new Error(`there is no sample ${String(parameters?.['name'])}`);
    await writeFile(sample.path, bytes);
    try {
      const read = await readAgreementFolder(sample.folder);
      if (!('document' in read)) {
        if (said(read.findings).length === 0) throw new Error('a folder is refused without a reason');
        return 'refused';
      }
      const { document } = read;
      const again = join(root, 'again');
      await writeAgreementFolder(again, document);
      const written = await readAgreementFolder(again);
      if (!('document' in written) || agreementId(written.document) !== agreementId(document))
        throw new Error('what was written is read as another agreement');
      if (hasErrors(said(checkAgreement(document)))) return 'errors found';
      const fits = !hasErrors(said(checkAgainst(document, schedule, '2026-06-01')));
      checkQuotes(schedule, accountOf({ discounts: new Map(), agreements: [{ document }] }));
      return fits ? 'quoted' : 'quoted, but does not fit the tariff';
    } finally {
      await writeFile(sample.path, sample.bytes);
    }
  };
};
