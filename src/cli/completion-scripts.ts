/**
 * Completion scripts. Bash: 3.2 and later, with or without the package bash-completion. Zsh: sourced after compinit, or kept
 * as `_rates` in a folder of `fpath`.
 */

/** A command, as far as a completion needs it. */
export interface Completable {
  /** Command names without the program's: `tariff import`. Empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletableOption[];
  /** Fixed values of its arguments. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
}

export interface CompletableOption {
  /** Such as `-o` and `--output`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** What follows: nothing, a file or folder, a fixed set of words, or free text. */
  readonly value: 'none' | 'file' | 'unknown' | readonly string[];
}

/** What can follow a command: subcommands, or options if the word begins with a hyphen. */
const commandCases = ({ path, subcommands, words, options, takesFiles }: Completable): string => {
  const names = [...subcommands.map(({ name }) => name), ...words].join(' ');
  const flags = options.flatMap((option) => option.flags).join(' ');
  return `    '${path}') names='${names}' flags='${flags}' files=${takesFiles ? 1 : ''} ;;`;
};

/** What can follow an option. */
const optionCases = ({ path, options }: Completable): string[] =>
  options.flatMap(({ flags, value }) => {
    if (value === 'none') return [];
    const patterns = flags.map((flag) => `'${path} ${flag}'`).join('|');
    const found = value === 'file' ? 'files=1' : value === 'unknown' ? '' : `names='${value.join(' ')}'`;
    return [`    ${patterns}) ${found} valued=1 ;;`];
  });

export const bashScript = (commands: readonly Completable[]): string => `# Completion of rates for bash.
_rates() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' names='' flags='' files='' valued='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${path:+$path }\${COMP_WORDS[at]}" in
    ${commands
      .filter(({ path }) => path !== '')
      .map(({ path }) => `'${path}'`)
      .join('|')}) path="\${path:+$path }\${COMP_WORDS[at]}" ;;
    esac
  done
  case "$path $before" in
${commands.flatMap(optionCases).join('\n')}
  esac
  if [ -z "$valued" ]; then
    case "$path" in
${commands.map(commandCases).join('\n')}
    esac
    case "$word" in -*) names=$flags files='' ;; esac
  fi
  COMPREPLY=()
  local IFS=$' \\t\\n'
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -W "$names" -- "$word")
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$word")
  fi
}
complete -F _rates rates
`;

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const FOLLOWS = { none: [], file: ['-r -F'], unknown: ['-x'] } as const;

const optionLine = (condition: string, { flags, description, value }: CompletableOption): string => {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const follows = typeof value === 'string' ? FOLLOWS[value] : [`-x -a ${fishQuoted(value.join(' '))}`];
  return ['complete -c rates', condition, ...names, ...follows, `-d ${fishQuoted(description)}`].join(' ');
};

const linesOf = ({ path, subcommands, words, options, takesFiles }: Completable): string[] => {
  const condition = `-n ${fishQuoted(`__rates_at ${fishQuoted(path)}`)}`;
  return [
    ...subcommands.map(
      ({ name, description }) => `complete -c rates ${condition} -a ${name} -d ${fishQuoted(description)}`,
    ),
    ...options.map((option) => optionLine(condition, option)),
    ...(words.length > 0 ? [`complete -c rates ${condition} -a ${fishQuoted(words.join(' '))}`] : []),
    ...(takesFiles ? [`complete -c rates ${condition} -F`] : []),
  ];
};

export const fishScript = (commands: readonly Completable[]): string => `# Completion of rates for fish.
function __rates_at
    set -l path ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$path $word")
        switch "$longer"
            case ${commands.flatMap(({ path }) => (path === '' ? [] : [fishQuoted(path)])).join(' ')}
                set path $longer
        end
    end
    test "$path" = "$argv[1]"
end
complete -c rates -f
${commands.flatMap(linesOf).join('\n')}
`;

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word and its description in the form of `_describe`. */
const described = (word: string, description: string): string =>
  zshQuoted(`${word.replaceAll(':', '\\:')}:${description}`);

const valueCases = (path: string, { flags, value }: CompletableOption): string[] => {
  if (value === 'none') return [];
  const patterns = flags.map((flag) => zshQuoted(`${path} ${flag}`)).join('|');
  const found =
    value === 'file'
      ? '_files'
      : value === 'unknown'
        ? "_message 'value'"
        : `compadd -- ${value.map(zshQuoted).join(' ')}`;
  return [`    ${patterns}) ${found}; return ;;`];
};

const commandCase = ({ path, subcommands, words, options, takesFiles }: Completable): string => `    ${zshQuoted(path)})
      names=(${[...subcommands.map(({ name, description }) => described(name, description)), ...words.map(zshQuoted)].join(' ')})
      flags=(${options.flatMap((option) => option.flags.map((flag) => described(flag, option.description))).join(' ')})
      files=${takesFiles ? 1 : ''} ;;`;

export const zshScript = (commands: readonly Completable[]): string => `#compdef rates
_rates() {
  local path_='' files='' at
  local -a names flags
  for ((at = 2; at < CURRENT; at++)); do
    case "\${path_:+$path_ }\${words[at]}" in
    ${commands.flatMap(({ path }) => (path === '' ? [] : [zshQuoted(path)])).join('|')}) path_="\${path_:+$path_ }\${words[at]}" ;;
    esac
  done
  case "$path_ \${words[CURRENT-1]}" in
${commands.flatMap(({ path, options }) => options.flatMap((option) => valueCases(path, option))).join('\n')}
  esac
  case "$path_" in
${commands.map(commandCase).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -t options option flags
    return
  fi
  (( $#names )) && _describe -t commands command names
  if [[ -n $files ]]; then _files; fi
}
if [[ \${funcstack[1]} == _rates ]]; then _rates "$@"; else compdef _rates rates; fi
`;
