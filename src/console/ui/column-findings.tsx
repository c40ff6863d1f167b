/** What is to be known of a list's columns before its prices are trusted: on the page of an upload, and of its batch. */
import type { Batch } from '../calls.ts';
import { Notice } from './notice.tsx';

/** The service's words speak of parameters too, which have menus on these pages. */
const withoutParameters = (message: string): string =>
  message
    .split(/(?<=[.:;]) /)
    .filter((sentence) => !/\?(?:columns|dimension_units|service_map)=/.test(sentence))
    .join(' ')
    .replace(/[,;:]$/, '.');

interface ColumnFindingsProps {
  readonly findings: Batch['findings'];
  /** What to do about them here. */
  readonly advice: string;
}

export const ColumnFindings = ({ findings, advice }: ColumnFindingsProps) =>
  findings.length === 0 ? null : (
    <Notice kind="info" announced={false} title="What to know about the columns">
      <ul>
        {findings.map(({ type, column, message }) => (
          <li key={`${type} ${column} ${message}`}>{withoutParameters(message)}</li>
        ))}
      </ul>
      <p>{advice}</p>
    </Notice>
  );
