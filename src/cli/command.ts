/** A command as one declaration. Its help, its completion, the checks of what is given and the forms of its answer follow. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { must } from '../base/must.ts';
import { check, pathText } from '../base/validation.ts';
import { CommandFailure, EXIT, type ExitCode } from './exit.ts';
import { harmless, type Io, type Line, printJson, printLines, say, write } from './io.ts';

/** An argument or an option: how it is written, what it is, and the form of its value. */
export interface Input<F extends z.ZodType = z.ZodType> {
  /** `<files...>` or `[dir]` of an argument, `-o, --output <file>` of an option. */
  readonly flags: string;
  readonly about: string;
  /**
   * Of texts; of a list of texts if it can be given several times. It must be given if the form takes no `undefined`. A form
   * with choices shows them, and one with a default shows it.
   */
  readonly form: F;
}
type Inputs = Readonly<Record<string, Input>>;
/** What is given, by the names of the declaration. */
export type Given<I extends Inputs> = { readonly [K in keyof I]: z.output<Exclude<I[K], undefined>['form']> };

export const input = <F extends z.ZodType>(flags: string, about: string, form: F): Input<F> => ({
  flags,
  about,
  form,
});
export const flag = (flags: string, about: string) => input(flags, about, z.literal(true).optional());
export const text = (flags: string, about: string) => input(flags, about, z.string().optional());
/** A text that must be given. */
export const required = (flags: string, about: string) => input(flags, about, z.string());
/** Texts, as an option that can be given several times or as the rest of the arguments. */
export const texts = (flags: string, about: string) => input(flags, about, z.array(z.string()).default([]));

/** A whole number as it is written in digits. */
export const wholeNumber = (from: number, to: number, message = `must be a whole number from ${from} to ${to}`) =>
  z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= from && value <= to, message);

export const isoDate = z.iso.date();

/** What a command gives. Only this module knows whether `--json` is given. */
export interface Said {
  /** Standard output with `--json`. */
  readonly json?: () => unknown;
  /** Standard output without `--json`. */
  readonly lines?: () => readonly Line[];
  /** Standard error without `--json`. */
  readonly remarks?: () => readonly string[];
  /** Standard error in any case. */
  readonly notes?: readonly string[];
  /** Standard output as it is: a file for other programs. */
  readonly data?: string;
  readonly exit?: ExitCode;
}

interface Declaration<A extends Inputs, O extends Inputs> {
  /** The words after `rates`. */
  readonly path: string;
  readonly about: string;
  readonly args?: A;
  readonly options?: O;
  /** Options that cannot be given with an option. */
  readonly excludes?: { readonly [K in keyof O]?: readonly string[] };
  readonly examples: readonly string[];
  /** What the help says after the examples. */
  readonly more?: string;
  /** Why what is given does not go together. */
  readonly refuse?: (given: Given<NoInfer<A>> & Given<NoInfer<O>>) => string | false | undefined;
  readonly run: (given: Given<NoInfer<A>> & Given<NoInfer<O>>, io: Io) => Promise<Said>;
}

/** A command without the types of what it takes. */
export interface Declared extends Pick<Declaration<Inputs, Inputs>, 'path' | 'about'> {
  /** Completes commander's command. */
  readonly fill: (built: Command, io: Io) => void;
}

/** The form of a value that is given. */
const core = (form: unknown): unknown => {
  if (form instanceof z.ZodOptional || form instanceof z.ZodDefault) return core(form.unwrap());
  return form instanceof z.ZodPipe ? core(form.in) : form;
};

const choicesOf = (form: z.ZodType): readonly string[] | undefined => {
  const own = core(form);
  const one = own instanceof z.ZodArray ? core(own.element) : own;
  return one instanceof z.ZodEnum ? one.options.map(String) : undefined;
};

/** Refuses a value that has not its form. Commander names the argument or the option. */
const requireForm = (form: z.ZodType, value: unknown): void => {
  const checked = check(form, value);
  const [problem] = checked instanceof Failed ? checked.fault : [];
  if (problem === undefined) return;
  const { path, message } = problem;
  const inside = Array.isArray(value) && typeof path[0] === 'number' ? path.slice(1) : path;
  // Some messages begin with the part that they are about.
  const subject = pathText(inside) || (message.startsWith('"') ? '' : 'It');
  throw new InvalidArgumentError(`${subject} ${message}.`.trim());
};

/** Takes over what the form says: choices, a default, and the check of each value. */
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

/** What is given for an option. Its form makes the default of nothing. */
const givenFor = (option: Option, built: Command): unknown => {
  const name = option.attributeName();
  const isDefault = built.getOptionValueSource(name) === 'default' && takesValue(option);
  return isDefault ? undefined : built.getOptionValue(name);
};

/** Declares a command. */
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
      // Each member has passed the form of its input.
      const given = Object.fromEntries(values) as Given<A> & Given<O>;
      const refused = refuse?.(given);
      if (refused) throw new CommandFailure(refused, EXIT.usage);
      await print(await run(given, io), built.getOptionValue('json') === true, io);
    });
  };
  return { path, about, fill };
};

/** A word that has commands below it. */
export const group = (path: string, about: string): Declared => ({ path, about, fill: () => undefined });

/** Refuses options before the name of a subcommand: they would have no effect there. */
const requireNoOptions = (parent: Command, subcommand: Command): void => {
  const isGiven = parent.options.some((option) => parent.getOptionValueSource(option.attributeName()) === 'cli');
  if (!isGiven) return;
  const path = [parent.name(), subcommand.name()].join(' ');
  throw new CommandFailure(`Give the options after \`rates ${path}\`.`, EXIT.usage);
};

/** Adds the commands to the program, each below the words before its own. */
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
    built.configureOutput({ outputError: (message, put) => put(harmless(message)) });
    fill(built, io);
    above.addCommand(built);
  }
};
