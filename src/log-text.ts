/** Log lines for people: `14:03:07.120 warn  api[4711]: a tariff is refused  errors=2`, from the JSON lines of the log. */
import { styleText } from 'node:util';
import { z } from 'zod';

const line = z.looseObject({
  level: z.string(),
  time: z.string(),
  pid: z.number(),
  name: z.string(),
  msg: z.string().optional(),
  err: z.looseObject({ message: z.string(), stack: z.string().optional() }).optional(),
});

/** Text from outside could contain commands for the terminal. */
const shown = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

const PLAIN = /^[\w@%+:,./?&=-]+$/;

const valueText = (value: unknown): string =>
  typeof value === 'string' && PLAIN.test(value) ? value : shown(JSON.stringify(value));

/** The time of day on this machine, to the millisecond. */
const timeText = (time: string): string => {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${seconds}.${String(at.getMilliseconds()).padStart(3, '0')}`;
};

const COLORS: Readonly<Record<string, 'yellow' | 'red'>> = { warn: 'yellow', error: 'red', fatal: 'red' };

/**
 * A JSON line as text, with its line end. An error's stack follows on lines of its own.
 * @param hasColors whether to color levels of problems
 * @returns the line unchanged if it is not a line of the log
 */
export const textLine = (json: string, hasColors: boolean): string => {
  const read = line.safeParse(JSON.parse(json));
  if (!read.success) return json;
  const { level, time, pid, name, msg, err, ...fields } = read.data;
  const color = hasColors ? COLORS[level] : undefined;
  const label = level.padEnd(5);
  const levelText = color === undefined ? label : styleText(color, label, { validateStream: false });
  const parts = [
    `${timeText(time)} ${levelText} ${name}[${pid}]: ${shown(msg ?? '')}`,
    ...Object.entries(fields).map(([field, value]) => `${shown(field)}=${valueText(value)}`),
    ...(err === undefined ? [] : [`error=${valueText(err.message)}`]),
  ];
  const stack = (err?.stack ?? '').split('\n').slice(1);
  return [parts.join('  '), ...stack.map((frame) => `  ${shown(frame).trim()}`), ''].join('\n');
};
