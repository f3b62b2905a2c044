import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folder.ts';
import type { Wrapped } from './inner.ts';
import type { Line } from './line.ts';
import { readArguments } from './options.ts';
import { plainText, type ShellWord } from './word.ts';

/** What each package manager takes for `run`, and the scripts it runs without that word. */
const managers: Readonly<Record<string, { readonly direct: boolean }>> = {
  npm: { direct: false },
  pnpm: { direct: true },
  yarn: { direct: true },
  bun: { direct: false },
};
const running: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn']);
const short: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  test: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};

/** `npm run NAME`: the script that the project's `package.json` has under that name, with those before and behind it. */
export function projectScript(
  line: Line,
  name: string,
  args: readonly ShellWord[],
  folders: Folders,
): Wrapped | undefined {
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined;
  const script = manager && scriptName(manager, args);
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

function scriptName({ direct }: { readonly direct: boolean }, args: readonly ShellWord[]): string | undefined {
  const read = readArguments(args, { values: '--prefix -C --cwd -w --workspace --filter -F --loglevel' });
  const [first, second] = read.operands.map(plainText);
  if (first === undefined) return undefined;
  if (running.has(first)) return second;
  return Object.hasOwn(short, first) ? short[first] : direct ? first : undefined;
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
