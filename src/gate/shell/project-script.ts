import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folder.ts';
import type { Wrapped } from './inner.ts';
import type { Line } from './line.ts';
import { type OptionTable, readArguments } from './options.ts';
import { otherSpellings } from './synonyms.ts';
import { plainText, type ShellWord } from './word.ts';

const managers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Sub-commands that run the script of their own name. */
const short: ReadonlySet<string> = new Set(['test', 'start', 'stop', 'restart']);

/** `npm run NAME`: the script that the project's `package.json` has under that name, with those before and behind it. */
export function projectScript(
  line: Line,
  name: string,
  args: readonly ShellWord[],
  folders: Folders,
): Wrapped | undefined {
  const script = managers.has(name) ? scriptName(name, args) : undefined;
  if (script === undefined || folders === undefined) return undefined;
  const texts = folders.flatMap((folder) => {
    const key = `${folder}\0${script}`;
    if (line.scripts.has(key)) return [];
    line.scripts.add(key);
    const scripts = scriptsIn(folder);
    return [`pre${script}`, script, `post${script}`].flatMap((one) => scripts.get(one) ?? []);
  });
  if (texts.length === 0) return undefined;
  return { inner: texts.map((text) => ({ type: 'text', text })), transparent: false, own: args, vouches: 'script' };
}

const options: OptionTable = { values: '--prefix -C --cwd -w --workspace --filter -F --loglevel' };

function scriptName(name: string, args: readonly ShellWord[]): string | undefined {
  const given = readArguments(args, options)
    .operands.slice(0, 2)
    .map((word) => plainText(word) ?? '');
  const [spelling, another] = otherSpellings(name, given);
  const [command, script] = another === undefined ? (spelling ?? given) : given;
  if (command === 'run') return script;
  return command !== undefined && short.has(command) ? command : undefined;
}

const none: ReadonlyMap<string, string> = new Map();
const maxBytes = 1024 * 1024;
const read = new Map<string, { readonly mark: string; readonly scripts: ReadonlyMap<string, string> }>();

function scriptsIn(folder: string): ReadonlyMap<string, string> {
  const path = join(folder, 'package.json');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > maxBytes) return none;
  const mark = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  const known = read.get(path);
  if (known?.mark === mark) return known.scripts;
  const scripts = scriptsOf(path);
  if (read.size > 100) read.clear();
  read.set(path, { mark, scripts });
  return scripts;
}

function scriptsOf(path: string): ReadonlyMap<string, string> {
  try {
    const { scripts }: { scripts?: Record<string, unknown> } = JSON.parse(readFileSync(path, 'utf8'));
    const texts = Object.entries(scripts ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return new Map(texts);
  } catch {
    return none;
  }
}
