/** The id of an agreement's version: its name, its date and a hash of everything that it says. */
import { versionId } from '../tariff/identity.ts';
import type { AgreementDocument } from './document.ts';

/** The rows that lines stand in do not count: an empty row changes no price. */
export const agreementId = (document: AgreementDocument): string =>
  versionId(document.file, document, (key) => key === 'row');
