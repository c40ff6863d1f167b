/** Agreements that come into force together with tariffs. They are checked against the tariffs that follow. */
import { checkAgainst } from '../agreement/check-against.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { later } from '../tariff/days.ts';
import { agreementChange } from './agreements.ts';
import type { PublishedDeps } from './pointer.ts';
import { type Beside, RefusedBeside } from './tariff-place.ts';

export interface AgreementToPublish {
  readonly document: AgreementDocument;
  /** The id of the agreement that it replaces; null: there is none. Absent: any. */
  readonly before?: string | null | undefined;
}

export const besideAgreements =
  (agreements: readonly AgreementToPublish[], now: Date) =>
  (deps: PublishedDeps): Beside =>
  (schedule) => {
    const findings = agreements.flatMap(({ document }) => {
      const day = later(schedule.bookAt(now).day, document.file.effective);
      return checkAgainst(document, schedule, day).map((one) => ({ ...one, at: `${document.file.name}/${one.at}` }));
    });
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new RefusedBeside(errors);
    return [agreementChange(deps, { add: agreements, remove: [] })];
  };
