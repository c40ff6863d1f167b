/** Agreements that come into force together with tariffs. They are checked against the tariffs that follow. */
import { checkAgainst } from '../agreement/check-against.ts';
import { later } from '../tariff/days.ts';
import { type AgreementsToChange, agreementChange } from './agreements.ts';
import type { PublishedDeps } from './pointer.ts';
import { type Beside, RefusedBeside } from './tariff-place.ts';

export const besideAgreements =
  (agreements: Omit<AgreementsToChange, 'remove'>) =>
  (deps: PublishedDeps): Beside =>
  async (schedule, { by, now }) => {
    const findings = agreements.add.flatMap(({ document }) => {
      const day = later(schedule.bookAt(now).day, document.file.effective);
      return checkAgainst(document, schedule, day).map((one) => ({ ...one, at: `${document.file.name}/${one.at}` }));
    });
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new RefusedBeside(errors);
    return [await agreementChange(deps, { ...agreements, remove: [] }, by)];
  };
