/**
 * The possible first words, those after each command, and the options with a value. Texts are ASCII without quotes and
 * colons, because shells interpret these differently.
 * @typedef {string[][]} Words
 * @typedef {{ name: string, first: Words, commands: [command: string, words: Words][], valued: string[] }} Table
 */

/** @template T @param {T[]} all @param {(one: T) => string} text */
const lines = (all, text) => all.map(text).join('\n');

/** @param {unknown[][]} all @param {string} between */
const names = (all, between) => all.map(([one]) => one).join(between);

/** @param {Table} table */
const bash = ({ name, first, commands, valued }) => `_my_software() {
  local IFS=$' \\t\\n' word command= words='${names(first, ' ')}'
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in ${valued.join('|')}) return ;; esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${names(commands, '|')}) command=$word; break ;; esac
  done
  case "$command" in
${lines(commands, ([command, words]) => `    ${command}) words='${names(words, ' ')}' ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _my_software ${name}`;

/** @param {Words} words */
const described = (words) => words.map(([word, about]) => `'${word}:${about}'`).join(' ');

// A file in fpath is the function itself; a sourced file defines it, perhaps before completions are set up.
/** @param {Table} table */
const zsh = ({ name, first, commands, valued }) => `#compdef ${name}
_${name}() {
  local -a before=(\${words[1,CURRENT-1]}) found
  case $before[-1] in
    --to) _files; return ;;
    ${valued.join('|')}) return ;;
  esac
  case \${before[(r)(${names(commands, '|')})]} in
${lines(commands, ([command, words]) => `    ${command}) found=(${described(words)}) ;;`)}
    *) found=(${described(first)}) ;;
  esac
  _describe '${name}' found
}
if [[ $funcstack[1] = _${name} ]]; then
  _${name} "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _${name} ${name}
fi`;

/** @param {Table} table */
const fish = ({ name, first, commands, valued }) => {
  const rows = (/** @type {string} */ when, /** @type {Words} */ words) =>
    lines(words, ([word = '', about]) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      const value = word === '--to' ? ' -r -F' : valued.includes(word) ? ' -x' : '';
      return `complete -c ${name} -n '${when}' ${what} -d '${about}'${value}`;
    });
  return `complete -c ${name} -f
${rows('__fish_use_subcommand', first)}
${lines(commands, ([command, words]) => rows(`__fish_seen_subcommand_from ${command}`, words))}`;
};

/** @param {Words} words */
const ordered = (words) => `[ordered]@{ ${words.map(([word, about]) => `'${word}' = '${about}'`).join('; ')} }`;

/** @param {Table} table */
const powershell = ({ name, first, commands, valued }) =>
  `Register-ArgumentCompleter -Native -CommandName '${name}' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${lines(commands, ([command, words]) => `    '${command}' = ${ordered(words)}`)}
  }
  $elements = $commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
  $before = @($elements | ForEach-Object { $_.ToString() })
  if (@(${valued.map((one) => `'${one}'`).join(', ')}) -contains $before[-1]) { return }
  $command = $before | Where-Object { $commands.Contains($_) } | Select-Object -First 1
  $words = if ($command) { $commands[$command] } else { ${ordered(first)} }
  $words.Keys | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $words[$_])
  }
}`;

/**
 * The completion script of each shell for the commands and their options.
 * @type {Readonly<Record<string, (table: Table) => string>>}
 */
export const COMPLETIONS = { bash, zsh, fish, powershell };
