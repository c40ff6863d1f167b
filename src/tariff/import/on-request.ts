/** Services that an import takes only if it is asked for them, such as those of FedEx One Rate. */
import type { ImportFile } from './newest.ts';

/** The files without services on request that nobody asked for. */
export const onlyAsked = (files: readonly ImportFile[], codes: readonly string[]): ImportFile[] =>
  files.map((file) => {
    const { source } = file;
    const rates = source.reading.rates.filter(({ onRequest, code }) => onRequest !== true || codes.includes(code));
    return { ...file, source: { ...source, reading: { ...source.reading, rates } } };
  });

/** What is wrong with the services that an import asks for; undefined if the files have all of them. */
export const unknownServices = (files: readonly ImportFile[], codes: readonly string[]): string | undefined => {
  const offered = files.flatMap(({ source }) =>
    source.reading.rates.flatMap(({ onRequest, code }) => (onRequest === true ? [code] : [])),
  );
  const unknown = codes.filter((code) => !offered.includes(code));
  if (unknown.length === 0) return undefined;
  const there = offered.length === 0 ? 'the files have none on request' : `there are ${offered.join(', ')}`;
  return `No file has ${unknown.join(', ')} on request: ${there}`;
};
