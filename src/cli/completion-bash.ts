/** The completion script for bash, 3.2 and later, with or without the package bash-completion. */
import type { Completable } from './completion-tree.ts';

/** What can follow a command: its subcommands, or its options where a word begins with a hyphen. */
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
