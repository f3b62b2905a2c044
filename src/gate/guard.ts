import type { Root } from '../workspace/path.ts';
import { guardFiles } from './guard-files.ts';
import { refuseGit } from './guard-git.ts';
import type { Refusal } from './refusal.ts';
import { interpreters, shells } from './shell/interpreters.ts';
import type { PlainCommand, ShellLine } from './shell/line.ts';
import { optionNames, readArguments } from './shell/options.ts';
import { otherSpellings } from './shell/synonyms.ts';
import { plainText } from './shell/word.ts';

/** A command of the line that can't be taken back, with what to do instead. */
export interface GuardedCommand {
  readonly command: string;
  readonly refusal: Refusal;
}

/** Refuses what no undo brings back, before any rule and beyond `--approve all`. */
export function guardLine(line: ShellLine, root: Root): readonly GuardedCommand[] {
  const found = line.commands.flatMap((command) => {
    const refusal = guardCommand(command, root);
    return refusal === undefined ? [] : [{ command: command.text, refusal }];
  });
  if (
    line.text.includes('(') &&
    /([^\s(){};|&]+)\(\)\{\1\|\1&\};\1/.test(line.text.slice(0, 2000).replaceAll(/\s/g, ''))
  )
    found.push({ command: line.text, refusal: forkBomb });
  return found;
}

const forkBomb: Refusal = {
  decision: 'deny',
  by: 'guard: fork bomb',
  reason: 'it starts processes without end. Leave it out',
};

function guardCommand(command: PlainCommand, root: Root): Refusal | undefined {
  if (command.name === undefined) return undefined;
  return (
    guardFiles(command, root) ??
    (command.name === 'git' ? refuseGit(command.args) : undefined) ??
    refuseNetCode(command) ??
    refuseDatabase(command) ??
    refuseKill(command) ??
    refuseSystem(command) ??
    refuseInfrastructure(command)
  );
}

const fetchers: ReadonlySet<string> = new Set([
  'curl',
  'wget',
  'http',
  'https',
  'xh',
  'aria2c',
  'fetch',
  'nc',
  'ncat',
  'lynx',
]);

/** `curl … | sh` and its spellings: what the net sends is run unseen. */
function refuseNetCode(command: PlainCommand): Refusal | undefined {
  const fetched = command.feeds.some(({ words }) =>
    words.some((word) => fetchers.has(baseName(plainText(word) ?? ''))),
  );
  if (!fetched || !(runsInput(command) || runsArguments(command))) return undefined;
  return {
    decision: 'deny',
    by: 'guard: code from the net',
    reason: 'what the net sends would be run unseen. Save it to a file, read it, then ask to run that file',
  };
}

function runsInput({ name, args }: PlainCommand): boolean {
  if (shells.has(name!) || ['eval', 'source', '.'].includes(name!)) return true;
  const code = Object.hasOwn(interpreters, name!.replace(/[\d.]+$/, ''))
    ? interpreters[name!.replace(/[\d.]+$/, '')]!
    : undefined;
  if (code === undefined) return false;
  const read = readArguments(args, { values: `${code} -m`, stops: true });
  const given = read.options.some((option) => option.name === '-m' || optionNames(code).includes(option.name));
  return (
    !given &&
    (read.operands.length === 0 || plainText(read.operands[0]) === '-' || plainText(read.operands[0]) === '/dev/stdin')
  );
}

/** `python3 -c "$(curl …)"` and `python3 <(curl …)`. */
function runsArguments({ name, args }: PlainCommand): boolean {
  const known = Object.hasOwn(interpreters, name!.replace(/[\d.]+$/, ''));
  return known && args.some((word) => word.kind === 'open' && /\$\(|`|^<\(/.test(word.raw));
}

/** Killing everything, or benchdog itself. */
function refuseKill({ name, args }: PlainCommand): Refusal | undefined {
  if (name !== 'kill') return undefined;
  const targets = args.map((word) => plainText(word) ?? word.raw).filter((text, at) => at > 0 || !text.startsWith('-'));
  if (!targets.some((text) => ['-1', '1', '$PPID', '-$PPID', '"$PPID"'].includes(text))) return undefined;
  const reason = 'it ends programs that it did not start. Name the process that is to end';
  return { decision: 'deny', by: 'guard: kill', reason };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const clients: ReadonlySet<string> = new Set(
  'psql mysql mariadb sqlite3 sqlcmd mongosh mongo redis-cli clickhouse-client cqlsh duckdb'.split(' '),
);
const destructive =
  /\bdrop\s+(?:database|schema|table|keyspace|user|role)\b|\btruncate\s+(?:table\s+)?\w|\bdelete\s+from\s+[\w."`]+\s*(?:;|$)|\bdropDatabase\b|\bflush(?:all|db)\b/i;

function refuseDatabase({ name, args, feeds }: PlainCommand): Refusal | undefined {
  if (name !== 'dropdb') {
    if (!clients.has(name!)) return undefined;
    const words = [...args, ...feeds.flatMap(({ words }) => words)];
    if (!destructive.test(words.map((word) => plainText(word) ?? word.raw).join(' '))) return undefined;
  }
  return {
    decision: 'deny',
    by: 'guard: database',
    reason: 'it drops data that no undo brings back. Write a migration or a backup first, and let the user run it',
  };
}

function refuseSystem({ name }: PlainCommand): Refusal | undefined {
  if (
    !/^(?:mkfs(?:\..*)?|wipefs|fdisk|sfdisk|cfdisk|parted|mkswap|diskutil|telinit|shutdown|reboot|halt|poweroff|userdel|deluser|cryptsetup)$/.test(
      name!,
    )
  )
    return undefined;
  return {
    decision: 'deny',
    by: `guard: ${name}`,
    reason: `${name} changes the machine itself. Ask the user to do it`,
  };
}

/** Commands and their first words that delete what lies on other machines. */
const remote: readonly string[] = [
  'terraform destroy',
  'tofu destroy',
  'pulumi destroy',
  'kubectl delete',
  'helm uninstall',
  'docker system prune',
  'docker volume rm',
  'docker volume prune',
  'gh repo delete',
  'npm unpublish',
  'aws s3 rb',
  'aws s3 rm --recursive',
  'systemctl poweroff',
  'systemctl reboot',
  'systemctl halt',
  'gcloud projects delete',
  'heroku apps:destroy',
  'crontab -r',
];

const remoteByName = new Map<string, readonly string[]>();
for (const entry of remote) {
  const name = entry.slice(0, entry.indexOf(' '));
  remoteByName.set(name, [...(remoteByName.get(name) ?? []), entry]);
}

function refuseInfrastructure({ name, args }: PlainCommand): Refusal | undefined {
  const entries = remoteByName.get(name!);
  if (entries === undefined) return undefined;
  const words = args
    .map((word) => plainText(word) ?? '')
    .filter((word) => !word.startsWith('-') || word === '-r' || word === '--recursive');
  const spellings = [words, ...otherSpellings(name!, words)].map((one) => one.slice(0, 6));
  const found = entries.find((entry) => spellings.some((one) => follows(entry.split(' ').slice(1), one)));
  if (found === undefined) return undefined;
  return { decision: 'deny', by: `guard: ${found}`, reason: `${found} can't be taken back. Ask the user to do it` };
}

/** Do the words come in this order, values of options perhaps between? */
function follows(wanted: readonly string[], words: readonly string[]): boolean {
  let at = 0;
  for (const word of words) if (word === wanted[at]) at += 1;
  return at === wanted.length;
}
