import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchEngine } from '../../src/process/rg-engine.ts';
import { noTrouble, searchFiles } from '../../src/workspace/search.ts';
import { openWalk, walkAll } from '../../src/workspace/walk.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

const quiet = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], { cwd, env: quiet, encoding: 'utf8' });

/** What git lists, without tracked files that are gone. */
function gitListing(root: string): string[] {
  const listed = git(root, 'ls-files', '-co', '--exclude-standard', '-z').split('\0').filter(Boolean);
  return [...new Set(listed)].filter((path) => isThere(join(root, path))).sort();
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

async function ourListing(root: string): Promise<string[]> {
  const workspace = openWorkspace({ root });
  const { signal } = new AbortController();
  const base = workspace.resolve('.');
  const skip = (name: string) => name === '.git';
  const walk = await openWalk(workspace, { base, ignoreFiles: [], includeIgnored: false, skip, signal });
  const paths: string[] = [];
  await walkAll(walk.folder!, signal, (entry) => {
    if (entry.kind !== 'directory') paths.push(entry.rel);
    return true;
  });
  return paths;
}

/** What a search finds that goes through all files. */
async function searched(root: string, engine: SearchEngine): Promise<string[]> {
  const workspace = openWorkspace({ root });
  const bases = [workspace.resolve('.')];
  const query = { pattern: '^', bases, skipFolders: [], ignoreFiles: [], perFile: 1 };
  const paths: string[] = [];
  const { signal } = new AbortController();
  for await (const { path } of searchFiles(workspace, engine, query, noTrouble(), signal)) paths.push(path.rel);
  return paths.sort();
}

const name = fc.constantFrom(
  'a',
  'b',
  'foo',
  'foo.',
  'foobar',
  'x.o',
  'é',
  'a b',
  'tmp ',
  '[a]',
  '!n',
  '#h',
  'A',
  'a-b',
  '.dot',
);
const treePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const piece = fc.constantFrom(
  'a',
  'b',
  'foo',
  'foo*',
  '*',
  '**',
  '?',
  '*.o',
  '[ab]',
  '[!a]',
  '[[:alpha:]]',
  '[^[:upper:]]',
  '[a-',
  '[]a]',
  '\\a',
  '\\*',
  'f**r',
  'é',
  '[é]',
  'a b',
  'tmp\\ ',
  'tmp',
  '\\[a\\]',
  '[[]a]',
  '\\!n',
  '\\#h',
  'foo.',
  '*.',
  '.*',
  '???',
  '[[:bogus:]]',
  '[a\\]]',
  'a\\',
  'x[!/]o',
  'foo**',
  '***',
);
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '!', '#'),
    fc.constantFrom('', '', '', '/'),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**', '//'),
    fc.constantFrom('', '', ' ', '  ', '\\ ', '\t'),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([bang, anchor, parts, tail, blank, end]) => `${bang}${anchor}${parts.join('/')}${tail}${blank}${end}`);
const ignoreText = fc
  .tuple(fc.constantFrom('', '', '', '\ufeff'), fc.array(line, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([bom, lines, cut]) => (cut ? (bom + lines.join('')).trimEnd() : bom + lines.join('')));
const tree = fc.record({
  files: fc.uniqueArray(treePath, { minLength: 1, maxLength: 14 }),
  links: fc.uniqueArray(treePath, { maxLength: 2 }),
  ignores: fc.dictionary(fc.oneof(fc.constant('.'), treePath.map(dirname)), ignoreText, { minKeys: 1, maxKeys: 3 }),
  exclude: fc.option(ignoreText),
  track: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
});

function put(root: string, path: string, write: (abs: string) => void): void {
  try {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    write(join(root, path));
  } catch {
    // A file stands where a folder should be, or the other way round: this tree goes without.
  }
}

function plant(root: string, plan: typeof tree extends fc.Arbitrary<infer T> ? T : never): void {
  for (const path of plan.files) put(root, path, (abs) => writeFileSync(abs, 'x'));
  for (const path of plan.links) put(root, path, (abs) => symlinkSync('.', abs));
  for (const [folder, text] of Object.entries(plan.ignores)) {
    put(root, join(folder, '.gitignore'), (abs) => writeFileSync(abs, text));
  }
}

function clear(root: string): void {
  for (const entry of readdirSync(root)) {
    if (entry !== '.git') rmSync(join(root, entry), { recursive: true });
  }
  rmSync(join(root, '.git/index'), { force: true });
}

test('listings equal git ls-files over random trees and patterns, in a repository', async () => {
  const root = tempFolder();
  git(root, 'init', '-q', '.');
  await fc.assert(
    fc.asyncProperty(tree, async (plan) => {
      clear(root);
      plant(root, plan);
      writeFileSync(join(root, '.git/info/exclude'), plan.exclude ?? '');
      const there = (path: string) => existsSync(join(root, path)) && lstatSync(join(root, path)).isFile();
      const tracked = plan.track.flatMap((at) => plan.files[at] ?? []).filter(there);
      if (tracked.length > 0) git(root, '--literal-pathspecs', 'add', '-f', '--', ...tracked);
      expect(await ourListing(root)).toEqual(gitListing(root));
    }),
    runs(60),
  );
});

test('listings outside a repository follow the same rules', async () => {
  const root = tempFolder();
  const elsewhere = tempFolder();
  git(elsewhere, 'init', '-q', '.');
  const asIf = [`--git-dir=${join(elsewhere, '.git')}`, `--work-tree=${root}`];
  await fc.assert(
    fc.asyncProperty(tree, async (plan) => {
      clear(root);
      plant(root, plan);
      const listed = git(root, ...asIf, 'ls-files', '-o', '-z', '--exclude-per-directory=.gitignore');
      expect(await ourListing(root)).toEqual(listed.split('\0').filter(Boolean).sort());
    }),
    runs(60),
  );
});

test.each(engines)('a search finds what is listed (%s)', async (_, engine) => {
  const root = tempFolder();
  git(root, 'init', '-q', '.');
  await fc.assert(
    fc.asyncProperty(tree, async (plan) => {
      clear(root);
      plant(root, { ...plan, links: [] });
      const full = (path: string) => lstatSync(join(root, path)).size > 0;
      expect(await searched(root, engine)).toEqual((await ourListing(root)).filter(full));
    }),
    runs(20),
  );
});
