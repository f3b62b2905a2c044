import { addKnown } from './known.ts';
import { byLine, inNature, type Line, type PlainCommand } from './line.ts';
import type { Program } from './programs.ts';
import { addSuspectWord } from './suspect.ts';
import { addFile } from './touch.ts';
import { plainText, plainWord, startOf } from './word.ts';

export type Special = (line: Line, command: PlainCommand) => void;

const curl: Program = {
  use: 'none',
  values:
    '-H -X -u -A -e -m -x -d -F --data --data-raw --data-binary --data-urlencode --header --request --user --form --url --user-agent --referer --max-time --connect-timeout --retry',
  reads: '-T --upload-file -b --cookie -E --cert --key --cacert',
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
      const [, key, value] = /^(if|of)=([\s\S]*)$/.exec(plainText(word) ?? '') ?? [];
      if (value === undefined) continue;
      addFile(line, key === 'if' ? 'read' : 'write', plainWord(value), command.folders, inNature(command));
    }
  },
  curl: (line, command) => {
    addKnown(line, command, curl);
    for (const word of command.args) if (/[@<]/.test(startOf(word))) addSuspectWord(line, command, word);
    if (command.args.some((word) => /^--?\w*O|^--remote-name/.test(startOf(word))))
      addFile(line, 'write', plainWord('.'), command.folders, byLine);
  },
  wget: (line, command) => {
    addKnown(line, command, wget);
    if (!command.args.some((word) => /^-O|^--output-document/.test(startOf(word))))
      addFile(line, 'write', plainWord('.'), command.folders, byLine);
  },
  tar: (line, command) => addArchive(line, command),
  zip: (line, command) => addArchive(line, command),
  rsync: (line, command) => addArchive(line, command),
  scp: (line, command) => addArchive(line, command),
};

const archive: Program = {
  use: 'read',
  walks: true,
  values: '-C --directory --exclude --strip-components --transform',
  writes: '-f --file',
  reads: '-T --files-from -X --exclude-from',
  runs: '-I= --use-compress-program= --to-command= --checkpoint-action= --rsh-command= -F= --info-script= --new-volume-script= -e= --rsh= --rsync-path= -o= -S= --unzip-command= -TT=',
  edits: '-x --extract --get --delete --remove-source-files --remove-files',
};

/** Archivers read whole folders; their first word may be options without a dash. */
function addArchive(line: Line, command: PlainCommand): void {
  const [first, ...rest] = command.args;
  const bundle = command.name === 'tar' ? plainText(first) : undefined;
  const args = bundle !== undefined && /^[a-zA-Z]+$/.test(bundle) ? [plainWord(`-${bundle}`), ...rest] : command.args;
  addKnown(line, { ...command, args }, archive);
}
