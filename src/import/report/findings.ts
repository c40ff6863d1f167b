/**
 * Findings of a tariff's check, for people who know the carriers' files. A place in the tariff's folder is named by what it is
 * about. Places with the same problem share a line.
 */
import type { Finding, TariffDocument } from '../../catalog/tariff/document.ts';
import { severalOf, sharing } from '../../catalog/tariff/findings.ts';
import { servicesText } from '../merge/charged-services.ts';

const TABLE = /^(rates|multiweight|cubic|zones|areas)\/([\w-]+)\.csv ?/;
const PART = /^(?:row \d+ )?(row|column|origin) (.+)$/;
const ENTRY = /^tariff\.json (services|surcharges)\[(\d+)\]/;

/** What a finding is about: a thing, and the kind and name of one of its parts. */
interface Place {
  readonly thing: string;
  readonly kind: string;
  readonly part: string;
}

const THINGS: Readonly<Record<string, string>> = { zones: 'zone chart ', areas: 'areas ' };

const placeOf = (at: string, { file: { services, surcharges } }: TariffDocument): Place => {
  const [start = '', folder = '', name = ''] = TABLE.exec(at) ?? [];
  if (start !== '') {
    const [, kind = '', part = ''] = PART.exec(at.slice(start.length)) ?? [];
    const thing = `${THINGS[folder] ?? ''}${name}`;
    return { thing, kind: kind === 'column' && folder !== 'zones' ? 'zone' : kind, part };
  }
  const [, list, index] = ENTRY.exec(at) ?? [];
  const service = list === 'services' ? services[Number(index)] : undefined;
  const charge = list === 'surcharges' ? surcharges[Number(index)] : undefined;
  const whose = charge?.services ?? services.map(({ code }) => code);
  const named = charge === undefined ? undefined : `${charge.description} of ${servicesText(whose, services)}`;
  return { thing: service?.code ?? named ?? at, kind: '', part: '' };
};

const inWords = (message: string): string =>
  message
    .replaceAll(/\bzones\/([\w-]+)\.csv/g, 'zone chart $1')
    .replaceAll(/\b(?:rates|multiweight|cubic|areas)\/([\w-]+)\.csv/g, '$1')
    .replaceAll(/\bsurcharges\[\d+\] /g, '');

/** A line for each problem: `UPS-NDAEAM, zones 102, 103: 151 lb costs less than 150 lb`. */
export const findingLines = (findings: readonly Finding[], document: TariffDocument | undefined): string[] => {
  if (document === undefined) return findings.map(({ at, message }) => `${at}: ${message}`);
  const places = findings.map(({ at, message }) => ({ ...placeOf(at, document), message }));
  const parts = sharing(places.map(({ part, ...rest }) => [part, JSON.stringify(rest)]));
  const things = [...parts].map(([key, names]): [string, string] => {
    const { thing, kind, message }: Place & { readonly message: string } = JSON.parse(key);
    return [kind === '' ? thing : `${thing}, ${kind}${names.length === 1 ? '' : 's'} ${severalOf(names)}`, message];
  });
  return [...sharing(things)].map(([message, names]) => `${severalOf(names, '; ')}: ${inWords(message)}`);
};
