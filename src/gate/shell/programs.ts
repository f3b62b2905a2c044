import type { OptionTable } from './options.ts';

/**
 * What a program does to the files among its operands.
 *
 * - `none`: its operands are no files
 * - `look`: names, sizes and dates are shown, no content
 * - `read`, `write`, `delete`: to each
 * - `copy`, `move`, `link`: from all but the last to the last
 */
export type OperandUse = 'none' | 'look' | 'read' | 'write' | 'delete' | 'copy' | 'move' | 'link';

/** A program whose behaviour is known well enough to name the files it touches. */
export interface Program extends OptionTable {
  readonly use: OperandUse;
  /** How many operands come first that are no files (the pattern of grep), unless an option of `unless` is given. */
  readonly skip?: number;
  readonly unless?: string;
  /** Reads whole folders without an option. */
  readonly walks?: boolean;
  /** Then also those whose names begin with a dot. */
  readonly hidden?: boolean;
  /** Reads a script as its first operand or as the value of an option. */
  readonly script?: 'sed' | 'awk';
  /** Operands from this one on (0-based) are written: `uniq in out`. */
  readonly writesFrom?: number;
}

const silent: Program = { use: 'none' };
const lister: Program = {
  use: 'look',
  values: '-I --ignore -w --width -T --tabsize --block-size --color --sort --time --format --time-style --hide',
};
const reader: Program = { use: 'read' };
const sums: Program = { use: 'read', edits: '' };
const grep: Program = {
  use: 'read',
  skip: 1,
  unless: '-e -f --regexp --file',
  values:
    '-e --regexp -A -B -C -m -d -D --after-context --before-context --context --max-count --include --exclude --exclude-dir --label --color --colour --binary-files --directories --devices',
  reads: '-f --file --exclude-from',
  recursive: '-r -R --recursive --dereference-recursive',
};
const pager: Program = {
  use: 'read',
  runs: '-k= --lesskey-file= --lesskey-src= --lesskey-content= -o= -O= --log-file= --LOG-FILE= -t= --tag=',
  values: '-p -P -x -j -z',
};
const make = (use: OperandUse, table: OptionTable & Partial<Program> = {}): Program => ({ use, ...table });

const copying: OptionTable = {
  values: '-S --suffix --backup -m --mode -o --owner -g --group --sparse --context',
  recursive: '-r -R -a --recursive --archive',
};

/** Programs by base name. What is not here is judged by its name alone, and its arguments as possible files. */
export const programs: Readonly<Record<string, Program>> = {
  ...each(
    'echo printf true false : seq sleep uname whoami id hostname tty nproc ps df free uptime pwd expr yes basename dirname which wait exit return break continue shift umask times logname arch groups',
    silent,
  ),
  du: { ...lister, reads: '--files0-from -X --exclude-from' },
  ...each('ls dir vdir stat tree test [ realpath readlink', lister),
  ...each(
    'cat tac od xxd hexdump strings base32 cksum sum cmp comm paste join rev fold expand unexpand column file zcat bzcat xzcat zstdcat lz4cat zless zmore tsort look nl fmt most sdiff colordiff diff3 pygmentize glow fx uuencode',
    reader,
  ),
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum', sums),
  ...each('grep egrep fgrep zgrep', grep),
  ...each('less more', pager),
  ...each(
    'bat batcat',
    make('read', { runs: '--pager= --config-file=', values: '-l -r -H --language --line-range --style --theme' }),
  ),
  man: make('read', {
    runs: '-P= --pager= -H --html -C= --config-file= -X --gxditview',
    values: '-L -S -s -M -m -e -r -R -E -p',
  }),
  yq: make('read', {
    values: '-o -p -I --output-format --input-format --indent',
    edits: '-i --inplace -s --split-exp',
  }),
  openssl: make('none', {
    single: true,
    reads: '-in -inkey -key -cert -certfile -CAfile -CAkey',
    writes: '-out -keyout -signature',
    runs: '-engine= -provider= -provider-path= -config=',
  }),
  patch: make('write', {
    values: '-p -F -B -z -V -D -g',
    reads: '-i --input',
    writes: '-o --output -r --reject-file -d --directory',
  }),
  unzip: make('read', { values: '-x -P', writes: '-d' }),
  head: make('read', { values: '-n -c --lines --bytes' }),
  tail: make('read', { values: '-n -c -s --lines --bytes --pid --sleep-interval' }),
  wc: make('read', { reads: '--files0-from' }),
  base64: make('read', { values: '-w --wrap' }),
  cut: make('read', { values: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter' }),
  tr: silent,
  xargs: make('none', {
    stops: true,
    values: '-I -n -P -L -d -E -s --max-args --max-procs --max-lines --delimiter --replace',
    reads: '-a --arg-file',
  }),
  date: make('none', { values: '-d -s --date --set', reads: '-f --file -r --reference' }),
  pr: make('read', { values: '-h -l -o -w -W -N' }),
  iconv: make('read', { values: '-f -t --from-code --to-code', writes: '-o --output' }),
  diff: make('read', {
    values: '-C -U -W -I -x -F --label --exclude --width --context --unified',
    reads: '-X --exclude-from',
    recursive: '-r --recursive',
    writes: '--output',
  }),
  uniq: make('read', { values: '-f -s -w --skip-fields --skip-chars --check-chars', writesFrom: 1 }),
  sort: make('read', {
    values: '-k -t -S --key --field-separator --buffer-size --parallel --batch-size --sort',
    reads: '--files0-from --random-source',
    writes: '-o --output -T --temporary-directory',
    runs: '--compress-program=',
  }),
  shuf: make('read', { values: '-n -i --head-count --input-range', reads: '--random-source', writes: '-o --output' }),
  rg: make('read', {
    skip: 1,
    unless: '-e -f --regexp --file --files --type-list',
    walks: true,
    values:
      '-e --regexp -g --glob --iglob -t --type -T --type-not --type-add --type-clear -A -B -C -m -M -d -j -r -E --after-context --before-context --context --max-count --max-columns --max-depth --max-filesize --threads --replace --encoding --color --colors --sort --sortr --engine --context-separator --field-match-separator --path-separator --regex-size-limit --dfa-size-limit',
    reads: '-f --file --ignore-file',
    runs: '--pre= --pre-glob= --hostname-bin= -z --search-zip',
  }),
  ag: make('read', {
    skip: 1,
    walks: true,
    values: '-A -B -C -G -m --ignore --ignore-dir --depth --file-search-regex',
    runs: '--pager=',
    reads: '-p --path-to-ignore',
  }),
  ack: make('read', { skip: 1, walks: true, values: '-A -B -C -m --type', runs: '--pager= --ackrc= --output=' }),
  jq: make('read', {
    skip: 1,
    unless: '-f --from-file',
    values: '--indent',
    reads: '-f --from-file',
    runs: '-L= --arg= --argjson= --slurpfile= --rawfile=',
  }),
  sed: make('read', {
    skip: 1,
    unless: '-e -f --expression --file',
    script: 'sed',
    values: '-e --expression -l --line-length',
    runs: '-f= --file=',
    edits: '-i --in-place',
  }),
  awk: awk(),
  gawk: awk(),
  mawk: awk(),
  nawk: awk(),
  touch: make('write', { values: '-d -t --date --time', reads: '-r --reference' }),
  mkdir: make('write', { values: '-m --mode' }),
  truncate: make('write', { values: '-s --size', reads: '-r --reference' }),
  tee: make('write'),
  mktemp: make('none', { writes: '-p --tmpdir' }),
  chmod: make('write', { skip: 1, unless: '--reference', values: '--reference' }),
  chown: make('write', { skip: 1, unless: '--reference', values: '--reference --from' }),
  chgrp: make('write', { skip: 1, unless: '--reference', values: '--reference' }),
  rm: make('delete', { values: '--interactive' }),
  rmdir: make('delete'),
  unlink: make('delete'),
  shred: make('delete', { values: '-n -s --iterations --size', reads: '--random-source' }),
  cp: make('copy', { ...copying, writes: '-t --target-directory' }),
  install: make('copy', { ...copying, writes: '-t --target-directory', runs: '--strip-program=' }),
  mv: make('move', { values: '-S --suffix', writes: '-t --target-directory' }),
  ln: make('link', { values: '-S --suffix', writes: '-t --target-directory' }),
  split: make('read', {
    values: '-a -b -C -l -n -t --suffix-length --bytes --lines',
    runs: '--filter=',
    writesFrom: 1,
  }),
  csplit: make('read', { runs: '-f= --prefix=', values: '-n -b' }),
};

function awk(): Program {
  return make('read', {
    skip: 1,
    unless: '-f --file',
    script: 'awk',
    values: '-F -v --field-separator --assign',
    runs: '-f= --file= -E= --exec= -i= --include= -l= --load= -e= --source= -o -p -d -D --pretty-print --profile --dump-variables --debug',
  });
}

function each(names: string, program: Program): Record<string, Program> {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]));
}
