/** The completion script for zsh: to be sourced after compinit, or kept as \`_rates\` in a folder of \`fpath\`. */
import type { Completable, CompletableOption } from './completion-tree.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A word with what it is, as _describe takes it. */
const described = (word: string, description: string): string =>
  quoted(`${word.replaceAll(':', '\\:')}:${description}`);

const valueCases = (path: string, { flags, value }: CompletableOption): string[] => {
  if (value === 'none') return [];
  const patterns = flags.map((flag) => quoted(`${path} ${flag}`)).join('|');
  const found =
    value === 'file'
      ? '_files'
      : value === 'unknown'
        ? "_message 'value'"
        : `compadd -- ${value.map(quoted).join(' ')}`;
  return [`    ${patterns}) ${found}; return ;;`];
};

const commandCase = ({ path, subcommands, words, options, takesFiles }: Completable): string => `    ${quoted(path)})
      names=(${[...subcommands.map(({ name, description }) => described(name, description)), ...words.map(quoted)].join(' ')})
      flags=(${options.flatMap((option) => option.flags.map((flag) => described(flag, option.description))).join(' ')})
      files=${takesFiles ? 1 : ''} ;;`;

export const zshScript = (commands: readonly Completable[]): string => `#compdef rates
_rates() {
  local path_='' files='' at
  local -a names flags
  for ((at = 2; at < CURRENT; at++)); do
    case "\${path_:+$path_ }\${words[at]}" in
    ${commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|')}) path_="\${path_:+$path_ }\${words[at]}" ;;
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
