/** What the checks against the tariffs share. */
import type { Card } from '../rating/card.ts';
import type { Schedule } from '../tariff/schedule.ts';
import type { AgreementDocument, Named } from './document.ts';
import type { FileOf } from './findings.ts';
import { namesService } from './subject.ts';
import type { Version } from './versions.ts';

const MAX_NAMED = 12;

/** An agreement on a day, the cards of its services, and the tariffs. */
export interface Held {
  readonly document: AgreementDocument;
  readonly version: Version;
  readonly day: string;
  readonly cards: readonly Card[];
  readonly schedule: Schedule;
  readonly fileOf: FileOf;
}

export const listOf = (names: readonly string[]): string =>
  names.length === 0
    ? 'none'
    : `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''}`;

/** The cards that a line names. */
export const cardsOf = (services: Named<string>, { cards, version }: Held): Card[] =>
  cards.filter((card) => namesService(services, { card, version }));
