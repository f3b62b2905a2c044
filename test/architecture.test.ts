import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const source = resolve(import.meta.dirname, '../src');

/** A folder imports only itself and smaller numbers; equal numbers don't know each other. */
const ranks: Record<string, number> = {
  base: 1,
  process: 2,
  workspace: 3,
  change: 4,
  tool: 5,
  gate: 6,
  tools: 6,
  model: 6,
  agent: 7,
  extend: 8,
  ui: 9,
};
const top = 10;

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  // What is imported as a type alone is gone when the program runs.
  const running = text.replace(/^(import|export) type [^;]*;$/gms, '');
  const found = running.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, target]) => ({
    from: file,
    to: relative(source, resolve(source, dirname(file), target!)),
  }));
}

const roomOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');
const rankOf = (file: string): number => ranks[roomOf(file)] ?? top;

test('imports point down, and rooms of the same number do not know each other', () => {
  const wrong = files.flatMap(importsOf).filter(({ from, to }) => {
    if (to.startsWith('..') || roomOf(from) === roomOf(to) || rankOf(from) === top) return false;
    return rankOf(to) >= rankOf(from);
  });
  expect(wrong).toEqual([]);
});

test('no import goes in a circle', () => {
  const graph = new Map(files.map((file) => [file, importsOf(file).map(({ to }) => to)]));
  const done = new Set<string>();
  const circles: string[][] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  expect(circles).toEqual([]);
});

test('signals are joined by joinSignals alone, since Node collects the ones of AbortSignal.any as garbage', () => {
  const users = files.filter((file) => /AbortSignal\.(any|timeout)\(/.test(readFileSync(join(source, file), 'utf8')));
  expect(users).toEqual([]);
});

/** Who may import which power. A denied call never executes because nobody else could. */
const powers: readonly { readonly what: string; readonly pattern: RegExp; readonly rooms: readonly string[] }[] = [
  { what: 'start programs', pattern: /from 'node:(child_process|cluster)'/, rooms: ['process/'] },
  {
    what: 'write files',
    pattern:
      /\b(writeFile|writeFileSync|writeSync|appendFile|appendFileSync|renameSync|rename|unlink|unlinkSync|rm|rmSync|rmdirSync|mkdir|mkdirSync|mkdtempSync|copyFileSync|symlinkSync|linkSync|truncateSync|ftruncateSync|chmodSync|fchmodSync|createWriteStream)\b[^;]*from 'node:fs(\/promises)?'/,
    rooms: [
      'base/compiled-code.ts',
      'base/log',
      'base/own-folder.ts',
      'base/lock',
      'base/remove-tree',
      'base/state-file',
      'base/throw-away',
      'change/',
      'process/',
      'workspace/anchor.ts',
    ],
  },
];

test.each(powers)('only its rooms $what', ({ pattern, rooms }) => {
  const users = files.filter((file) => pattern.test(readFileSync(join(source, file), 'utf8')));
  expect(users.filter((file) => !rooms.some((room) => file.startsWith(room)))).toEqual([]);
});

test('the terminal UI and its libraries are loaded by an interactive session alone', () => {
  const isTerminal = (file: string) => file.startsWith('ui/terminal/') || file.startsWith('cli/terminal/');
  const libraries = /from '(@earendil-works\/pi-tui|highlight\.js)/;
  const users = files.filter((file) => libraries.test(readFileSync(join(source, file), 'utf8')));
  expect(users.filter((file) => !file.startsWith('ui/terminal/'))).toEqual([]);
  const outside = files.filter((file) => !isTerminal(file)).flatMap(importsOf);
  expect(outside.filter(({ to }) => isTerminal(to))).toEqual([
    { from: 'cli/interactive.ts', to: 'cli/terminal/run.ts' },
  ]);
  expect(readFileSync(join(source, 'cli/interactive.ts'), 'utf8')).toContain("await import('./terminal/run.ts')");
});
