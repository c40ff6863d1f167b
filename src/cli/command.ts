/** Declares commands. The help, completion, input checks and output formats follow from a command's declaration. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { must } from '../base/must.ts';
import { check, pathText } from '../base/validation.ts';
import { EXIT, type ExitCode, wrongUse } from './exit.ts';
import { harmless, type Io, type Line, printJson, printLines, say, write } from './io.ts';

/** An argument or an option: its syntax, its description, and the schema of its value. */
export interface Input<F extends z.ZodType = z.ZodType> {
  /** `<files...>` or `[dir]` for an argument, `-o, --output <file>` for an option. */
  readonly flags: string;
  readonly about: string;
  /**
   * A schema of texts, or of a list of texts if it can be repeated. The input is required if the schema does not accept
   * `undefined`. The help shows choices and defaults.
   */
  readonly form: F;
}
type Inputs = Readonly<Record<string, Input>>;
/** The given values, by the names in the declaration. */
export type Given<I extends Inputs> = { readonly [K in keyof I]: z.output<Exclude<I[K], undefined>['form']> };

export const input = <F extends z.ZodType>(flags: string, about: string, form: F): Input<F> => ({
  flags,
  about,
  form,
});
export const flag = (flags: string, about: string) => input(flags, about, z.literal(true).optional());
export const text = (flags: string, about: string) => input(flags, about, z.string().optional());
/** A required text. */
export const required = (flags: string, about: string) => input(flags, about, z.string());
/** Texts, as a repeatable option or as the remaining arguments. */
export const texts = (flags: string, about: string) => input(flags, about, z.array(z.string()).default([]));

/** A whole number in digits. */
export const wholeNumber = (from: number, to: number, message = `must be a whole number from ${from} to ${to}`) =>
  z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= from && value <= to, message);

export const isoDate = z.iso.date();

/** The output of a command. Only this module knows whether `--json` was given. */
export interface Said {
  /** Standard output with `--json`. */
  readonly json?: () => unknown;
  /** Standard output without `--json`. */
  readonly lines?: () => readonly Line[];
  /** Standard error without `--json`. */
  readonly remarks?: () => readonly string[];
  /** Standard error, with or without `--json`. */
  readonly notes?: readonly string[];
  /** Raw standard output: a file for other programs. */
  readonly data?: string;
  readonly exit?: ExitCode;
}

interface Declaration<A extends Inputs, O extends Inputs> {
  /** The words after `rates`. */
  readonly path: string;
  readonly about: string;
  readonly args?: A;
  readonly options?: O;
  /** Options that conflict with an option. */
  readonly excludes?: { readonly [K in keyof O]?: readonly string[] };
  readonly examples: readonly string[];
  /** Text in the help after the examples. */
  readonly more?: string;
  /** Why the given values do not fit together. */
  readonly refuse?: (given: Given<NoInfer<A>> & Given<NoInfer<O>>) => string | false | undefined;
  readonly run: (given: Given<NoInfer<A>> & Given<NoInfer<O>>, io: Io) => Promise<Said>;
}

/** A command without the types of its inputs. */
export interface Declared extends Pick<Declaration<Inputs, Inputs>, 'path' | 'about'> {
  /** Completes commander's command. */
  readonly fill: (built: Command, io: Io) => void;
}

/** The schema inside optional, default and pipe wrappers. */
const core = (form: unknown): unknown => {
  if (form instanceof z.ZodOptional || form instanceof z.ZodDefault) return core(form.unwrap());
  return form instanceof z.ZodPipe ? core(form.in) : form;
};

const choicesOf = (form: z.ZodType): readonly string[] | undefined => {
  const own = core(form);
  const one = own instanceof z.ZodArray ? core(own.element) : own;
  return one instanceof z.ZodEnum ? one.options.map(String) : undefined;
};

/** Refuses a value that does not match its schema. Commander adds the name of the argument or option. */
const requireForm = (form: z.ZodType, value: unknown): void => {
  const checked = check(form, value);
  const [problem] = checked instanceof Failed ? checked.fault : [];
  if (problem === undefined) return;
  const { path, message } = problem;
  const inside = Array.isArray(value) && typeof path[0] === 'number' ? path.slice(1) : path;
  // Some messages begin with the part they refer to.
  const subject = pathText(inside) || (message.startsWith('"') ? '' : 'It');
  throw new InvalidArgumentError(`${subject} ${message}.`.trim());
};

/** Applies the schema: choices, a default, and the check of each value. */
const withForm = (part: Argument | Option, form: z.ZodType): void => {
  const choices = choicesOf(form);
  const isMany = core(form) instanceof z.ZodArray;
  const checked = (value: unknown): unknown => {
    requireForm(form, value);
    return value;
  };
  if (choices !== undefined) part.choices(choices);
  else
    part.argParser<unknown>((given, before) =>
      checked(isMany ? [...(Array.isArray(before) ? before : []), given] : given),
    );
  const absent = form.safeParse(undefined);
  if (!isMany && absent.success && absent.data !== undefined) part.default(absent.data);
};

const takesValue = ({ required, optional }: Option): boolean => required || optional;

const optionOf = ({ flags, about, form }: Input): Option => {
  const option = new Option(flags, about);
  if (!takesValue(option)) return option;
  withForm(option, form);
  return option.makeOptionMandatory(!form.safeParse(undefined).success);
};

const argumentOf = ({ flags, about, form }: Input): Argument => {
  const argument = new Argument(flags, about);
  withForm(argument, form);
  return argument;
};

const print = async (said: Said, isJson: boolean, io: Io): Promise<void> => {
  const { json, lines, remarks, notes = [], data, exit = EXIT.done } = said;
  if (isJson && json !== undefined) await printJson(io, json());
  else if (data !== undefined) await write(io.stdout, data);
  else if (lines !== undefined) await printLines(io, lines());
  for (const line of [...(isJson ? [] : (remarks?.() ?? [])), ...notes]) say(io, line);
  if (exit !== EXIT.done) io.setExitCode(exit);
};

/** The given value of an option. Its schema supplies the default. */
const givenFor = (option: Option, built: Command): unknown => {
  const name = option.attributeName();
  const isDefault = built.getOptionValueSource(name) === 'default' && takesValue(option);
  return isDefault ? undefined : built.getOptionValue(name);
};

export const command = <A extends Inputs = Record<never, never>, O extends Inputs = Record<never, never>>(
  declaration: Declaration<A, O>,
): Declared => {
  const { path, about, examples, more, refuse, run } = declaration;
  const excludes: Readonly<Record<string, readonly string[] | undefined>> = declaration.excludes ?? {};
  const args: Inputs = declaration.args ?? {};
  const options: Inputs = declaration.options ?? {};
  const fill = (built: Command, io: Io): void => {
    for (const one of Object.values(args)) built.addArgument(argumentOf(one));
    const made = Object.entries(options).map(([name, one]) => ({ name, form: one.form, option: optionOf(one) }));
    const attributeOf = (name: string): string =>
      must(made.find((one) => one.name === name)?.option, `the option ${name} of ${path}`).attributeName();
    for (const { name, option } of made) built.addOption(option.conflicts((excludes[name] ?? []).map(attributeOf)));
    built.addHelpText('after', `\nExamples:\n  ${examples.join('\n  ')}${more === undefined ? '' : `\n\n${more}`}`);
    built.action(async (...taken: unknown[]) => {
      const values = [
        ...Object.entries(args).map(([name, { form }], at) => [name, form.parse(taken[at])]),
        ...made.map(({ name, form, option }) => [name, form.parse(givenFor(option, built))]),
      ];
      // Each member has passed the schema of its input.
      const given = Object.fromEntries(values) as Given<A> & Given<O>;
      const refused = refuse?.(given);
      if (refused) throw wrongUse(refused);
      await print(await run(given, io), built.getOptionValue('json') === true, io);
    });
  };
  return { path, about, fill };
};

/** A word with subcommands. */
export const group = (path: string, about: string): Declared => ({ path, about, fill: () => undefined });

/** Refuses options before the name of a subcommand, because they would have no effect there. */
const requireNoOptions = (parent: Command, subcommand: Command): void => {
  const isGiven = parent.options.some((option) => parent.getOptionValueSource(option.attributeName()) === 'cli');
  if (!isGiven) return;
  const path = [parent.name(), subcommand.name()].join(' ');
  throw wrongUse(`Give the options after \`rates ${path}\`.`);
};

/** Adds the commands to the program, each below the preceding words of its path. */
export const addCommands = (program: Command, declared: readonly Declared[], io: Io): void => {
  for (const { path, about, fill } of declared) {
    const words = path.split(' ');
    const above = words.slice(0, -1).reduce((parent, word) => {
      const found = parent.commands.find((one) => one.name() === word);
      return must(found, `the command above ${path}`);
    }, program);
    if (above !== program && above.commands.length === 0)
      above.enablePositionalOptions().hook('preSubcommand', requireNoOptions);
    const built = new Command(words.at(-1)).description(about);
    // Commander calls it a command-argument value.
    const plain = (message: string): string =>
      message.replace(
        /^error: command-argument value (.*) is invalid for argument '(.*?)'/s,
        'error: $1 is invalid for <$2>',
      );
    built.configureOutput({ outputError: (message, put) => put(harmless(plain(message))) });
    fill(built, io);
    above.addCommand(built);
  }
};
