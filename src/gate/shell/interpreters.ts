/** Interpreters and the options that hand them code. */
export const interpreters: Readonly<Record<string, string>> = {
  python: '-c',
  python2: '-c',
  python3: '-c',
  pypy: '-c',
  node: '-e -p --eval --print -r --require --import --loader --experimental-loader',
  nodejs: '-e -p --eval --print -r --require',
  bun: '-e -p --eval --print',
  deno: '',
  tsx: '-e -p --eval --print',
  ruby: '-e -r',
  perl: '-e -E -M -m',
  php: '-r -B -R -E',
  lua: '-e -l',
  luajit: '-e -l',
  Rscript: '-e',
  R: '-e',
  osascript: '-e',
  pwsh: '-c -Command -EncodedCommand',
  powershell: '-c -Command -EncodedCommand',
  tclsh: '',
  expect: '-c',
  guile: '-c -e',
  scala: '-e',
  groovy: '-e',
  elixir: '-e',
  erl: '-eval',
  julia: '-e -E',
  ghc: '-e',
  gdb: '-ex -x --eval-command --command',
  emacs: '--eval --batch',
  vim: '-c --cmd -S',
  nvim: '-c --cmd -S',
  vi: '-c --cmd -S',
  view: '-c --cmd -S',
  vimdiff: '-c --cmd -S',
  nano: '',
  pico: '',
  micro: '',
  ex: '-c',
  ed: '',
  sqlite3: '-cmd',
  psql: '-c --command',
  mysql: '-e --execute',
  mariadb: '-e --execute',
};

/** Their operands are files they show, and `+text` is a command of theirs. */
export const editors: ReadonlySet<string> = new Set('vim nvim vi view vimdiff ex ed emacs nano pico micro'.split(' '));

/** Programs whose input is commands, some of which run others. */
export const consoles: ReadonlySet<string> = new Set(
  'ed ex vi vim nvim view sqlite3 psql mysql mariadb gdb ftp lftp sftp'.split(' '),
);

export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'zsh',
  'fish',
  'csh',
  'tcsh',
  'rbash',
  'yash',
  'elvish',
  'nu',
  'xonsh',
]);

/** Programs that reach the network. */
export const networkers: ReadonlySet<string> = new Set(
  'curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp aria2c http https xh httpie dig nslookup ping'.split(
    ' ',
  ),
);

/** Commands that only move about or end the line; alone they touch nothing. */
export const neutral: ReadonlySet<string> = new Set(
  'cd pushd popd true false : test [ wait exit return break continue shift pwd set export local declare typeset readonly unset read'.split(
    ' ',
  ),
);
