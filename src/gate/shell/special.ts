import { addKnown } from './known.ts';
import { byLine, doubtCommand, inNature, type Line, type PlainCommand } from './line.ts';
import { afterEquals, readArguments } from './options.ts';
import { type Program, programs } from './programs.ts';
import { addSuspectWord } from './suspect.ts';
import { addFile } from './touch.ts';
import { plainText, plainWord, startOf } from './word.ts';

export type Special = (line: Line, command: PlainCommand) => void;

const curl: Program = {
  use: 'none',
  values:
    '-H -X -u -A -e -m -x -d -F --data --data-raw --data-binary --data-urlencode --header --request --user --form --url --user-agent --referer --max-time --connect-timeout --retry',
  reads: '-T --upload-file -b --cookie -E --cert --key --cacert -K --config --netrc-file',
  writes:
    '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --output-dir --stderr --hsts --alt-svc --libcurl',
  runs: '-K= --config= --engine=',
};

const wget: Program = {
  use: 'none',
  values: '-t -T --header --tries --timeout --user --password',
  reads: '-i --input-file --post-file --body-file --load-cookies',
  writes: '-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies',
  runs: '-e= --execute= --config= --use-askpass=',
};

/** Programs whose arguments follow no common form. */
export const specials: Readonly<Record<string, Special>> = {
  dd: (line, command) => {
    for (const word of command.args) {
      const [, key] = /^(if|of)=/.exec(startOf(word)) ?? [];
      if (key === undefined) continue;
      addFile(line, key === 'if' ? 'read' : 'write', afterEquals(word, 2), command.folders, inNature(command));
    }
  },
  curl: (line, command) => {
    addKnown(line, command, curl);
    for (const word of command.args) {
      if (/[@<]/.test(startOf(word))) addSuspectWord(line, command, word);
      const named = namedInAddress(plainText(word) ?? '');
      if (named !== undefined) addFile(line, 'read', plainWord(named), command.folders, inNature(command));
    }
    if (command.args.some((word) => /^--?\w*O|^--remote-name/.test(startOf(word))))
      addFile(line, 'write', plainWord('.'), command.folders, byLine);
  },
  wget: (line, command) => {
    addKnown(line, command, wget);
    if (!command.args.some((word) => /^-O|^--output-document/.test(startOf(word))))
      addFile(line, 'write', plainWord('.'), command.folders, byLine);
  },
  make: addMake,
  gmake: addMake,
  ssh: (line, command) => addRemote(line, command, ssh),
  sftp: (line, command) => addRemote(line, command, sftp),
  less: addPager,
  more: addPager,
  ...Object.fromEntries(
    'gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4'.split(' ').map((name) => [name, addPacker]),
  ),
  tar: (line, command) => addArchive(line, command),
  zip: (line, command) => addArchive(line, command),
  rsync: addCopy,
  scp: addCopy,
  ...Object.fromEntries(['7z', '7za', '7zz', 'cpio', 'pax', 'ar'].map((name) => [name, addArchive])),
};

/** `@file` and `<file` hand over a file's content, and `file:` is one. */
function namedInAddress(text: string): string | undefined {
  return /^file:\/\/(?:localhost)?(\/.*)$/i.exec(text)?.[1] ?? /[@<]([^@<;]+)(?:;.*)?$/.exec(text)?.[1];
}

/** The options of the configuration name programs (ProxyCommand, LocalCommand); a key is handed to nobody. */
const ssh: Program = {
  use: 'none',
  values: '-B -b -c -D -E -e -I -i -J -L -l -m -O -p -Q -R -S -W -w',
  runs: '-o= -F=',
  stops: true,
};
const sftp: Program = { use: 'none', values: '-B -c -i -J -l -P -R -X', runs: '-o= -F= -b= -D= -S= -s=' };

function addRemote(line: Line, command: PlainCommand, program: Program): void {
  addKnown(line, command, program);
  for (const word of command.args) addSuspectWord(line, command, word);
}

/** `less +!cmd` runs a command once the file is there. */
function addPager(line: Line, command: PlainCommand): void {
  const first = command.args.find((word) => startOf(word).startsWith('+'));
  if (first !== undefined) doubtCommand(line, command, `${command.name} ${first.raw} may run code`);
  addKnown(line, command, programs.less!);
}

const packer: Program = { use: 'read', values: '-S --suffix -T --threads -M --memlimit', writes: '-o' };

/** What is packed goes into a new file, or to the output, and the old one goes. */
function addPacker(line: Line, command: PlainCommand): void {
  addKnown(line, command, packer);
  const keeps = command.args.some((word) => /^-\w*[cklt]|^--(?:stdout|to-stdout|keep|list|test)/.test(startOf(word)));
  if (!keeps) addKnown(line, command, { ...packer, use: 'delete' });
}

/** What has no host in front lies here, and the last one is written. */
function addCopy(line: Line, command: PlainCommand): void {
  addArchive(line, command);
  const target = command.args.findLast((word) => !startOf(word).startsWith('-'));
  if (target !== undefined && !/^[^/]*:/.test(startOf(target)))
    addFile(line, 'write', target, command.folders, inNature(command));
}

const archive: Program = {
  use: 'read',
  walks: true,
  hidden: true,
  values: '-C --directory --exclude --strip-components --transform',
  writes: '-f --file',
  reads: '-T --files-from -X --exclude-from',
  runs: '-I= --use-compress-program= --to-command= --checkpoint-action= --rsh-command= -F= --info-script= --new-volume-script= -e= --rsh= --rsync-path= -o= -S= --unzip-command= -TT=',
  edits: '-x --extract --get --delete --remove-source-files --remove-files',
};

const maker: Program = {
  use: 'none',
  values: '-C --directory -I --include-dir -j --jobs -l -W -o --old-file -O',
  reads: '-f --file --makefile',
  runs: '-E= --eval=',
};

/** A makefile from the input, or a shell of its own choice, runs what nobody has seen. */
function addMake(line: Line, command: PlainCommand): void {
  addKnown(line, command, maker);
  const files = readArguments(command.args, maker).options.filter(({ name }) => makefiles.includes(name));
  if (files.some(({ value }) => /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(plainText(value) ?? '')))
    doubtCommand(line, command, `${command.name} takes its rules from its input`);
  for (const word of command.args) {
    if (/^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES)[:+?]*=/.test(startOf(word)))
      doubtCommand(line, command, `${word.raw} changes what ${command.name} runs`);
    addSuspectWord(line, command, word);
  }
}

const makefiles = ['-f', '--file', '--makefile'];

/** Archivers read whole folders; their first word may be options without a dash. */
function addArchive(line: Line, command: PlainCommand): void {
  if (command.name === 'zip' && command.args.some((word) => /^-[a-zA-Z]*TT|^--unzip/.test(startOf(word))))
    doubtCommand(line, command, 'zip -TT runs a program');
  const [first, ...rest] = command.args;
  const bundle = command.name === 'tar' ? plainText(first) : undefined;
  const args = bundle !== undefined && /^[a-zA-Z]+$/.test(bundle) ? [plainWord(`-${bundle}`), ...rest] : command.args;
  addKnown(line, { ...command, args }, archive);
}
