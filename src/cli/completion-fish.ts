/** The completion script for fish. */
import type { Completable, CompletableOption } from './completion-tree.ts';

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const FOLLOWS = { none: [], file: ['-r -F'], unknown: ['-x'] } as const;

const optionLine = (condition: string, { flags, description, value }: CompletableOption): string => {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const follows = typeof value === 'string' ? FOLLOWS[value] : [`-x -a ${quoted(value.join(' '))}`];
  return ['complete -c rates', condition, ...names, ...follows, `-d ${quoted(description)}`].join(' ');
};

const linesOf = ({ path, subcommands, words, options, takesFiles }: Completable): string[] => {
  const condition = `-n ${quoted(`__rates_at ${quoted(path)}`)}`;
  return [
    ...subcommands.map(
      ({ name, description }) => `complete -c rates ${condition} -a ${name} -d ${quoted(description)}`,
    ),
    ...options.map((option) => optionLine(condition, option)),
    ...(words.length > 0 ? [`complete -c rates ${condition} -a ${quoted(words.join(' '))}`] : []),
    ...(takesFiles ? [`complete -c rates ${condition} -F`] : []),
  ];
};

export const fishScript = (commands: readonly Completable[]): string => `# Completion of rates for fish.
function __rates_at
    set -l path ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$path $word")
        switch "$longer"
            case ${commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ')}
                set path $longer
        end
    end
    test "$path" = "$argv[1]"
end
complete -c rates -f
${commands.flatMap(linesOf).join('\n')}
`;
