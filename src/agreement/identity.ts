/** The id of an agreement's version: its name, its date and a hash of everything that it says. */
import { versionId } from '../tariff/identity.ts';
import type { AgreementDocument } from './document.ts';

/** The rows that lines stand in count, because explanations name them. */
export const agreementId = (document: AgreementDocument): string => versionId(document.file, document);
