import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dialects } from '../src/dialects.ts';
import { tempFolder } from './support/folders.ts';
import { openTestGate } from './support/gate.ts';
import { sh } from './support/repository.ts';

/**
 * Each folder of `scenarios/` is one call: `call.json`, the files `before/` it, the files `after/` it (left out: nothing
 * changes) and the text of its result, `result.txt`, or `result.DIALECT.txt` where a document words it otherwise.
 * With `unstaged/` the files before are committed to a repository, then these are put over them.
 */
interface Scenario {
  readonly verb: string;
  readonly arguments: Arguments;
  /** The code of the error it must end with. */
  readonly code?: string;
  /** Default: every dialect that has the verb. */
  readonly dialects?: readonly string[];
}
type Arguments = Readonly<Record<string, unknown>>;
type Spelling = readonly [tool: string, translate: (args: Arguments, root: string) => Arguments];

const same = (args: Arguments) => args;
const absolute = ({ path = '.', ...rest }: Arguments, root: string) => ({ path: `${root}/${path}`, ...rest });
const camel = ({ old, new: next, all, ...rest }: Arguments): Arguments => ({
  ...rest,
  ...(old === undefined ? {} : { oldString: old, newString: next }),
  ...(all === undefined ? {} : { replaceAll: all }),
});
const severalCamel = ({ edits, ...rest }: Arguments) => ({ ...rest, edits: (edits as Arguments[]).map(camel) });
const snake = ({ old, new: next, ...rest }: Arguments, root: string) =>
  absolute({ ...rest, old_string: old, new_string: next }, root);

const shiro: Readonly<Record<string, Spelling>> = {
  read: ['read_file', same],
  write: ['write_file', same],
  edit: ['edit_file', camel],
  'multi-edit': ['multi_edit', severalCamel],
  list: ['list_dir', same],
  glob: ['glob', same],
  grep: ['grep', same],
  diff: ['git_diff', same],
};
const spellings: Readonly<Record<string, Readonly<Record<string, Spelling>>>> = {
  shiro,
  native: { ...shiro, patch: ['apply_patch', same], delete: ['delete_file', same], move: ['move_file', same] },
  udiff: {
    read: ['read_file', same],
    write: ['write_file', same],
    patch: ['edit_file', same],
    delete: ['delete_file', same],
    list: ['list_files', same],
    grep: ['search_code', ({ pattern, ...rest }) => ({ ...rest, query: pattern })],
    diff: ['git_diff', same],
  },
  rousseau: { read: ['read', absolute], write: ['write', absolute], edit: ['edit', snake], grep: ['grep', absolute] },
};

const folder = join(import.meta.dirname, 'scenarios');
const scenarioOf = (name: string): Scenario => JSON.parse(readFileSync(join(folder, name, 'call.json'), 'utf8'));
const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
const runs = names.flatMap((name) => {
  const { verb, dialects: only } = scenarioOf(name);
  const having = dialects.map((dialect) => dialect.name).filter((dialect) => spellings[dialect]?.[verb] !== undefined);
  return having.filter((dialect) => only?.includes(dialect) ?? true).map((dialect) => [name, dialect] as const);
});

test.each(runs)('%s in %s', async (name, dialect) => {
  process.umask(0o022);
  const scenario = scenarioOf(name);
  const root = stage(name);
  const gate = await openTestGate({ root, flags: { dialect, approve: 'all' } });
  const [tool, translate] = spellings[dialect]![scenario.verb]!;
  const result = await gate.call(tool, translate(scenario.arguments, root));
  const text = result.text.replaceAll(root, 'ROOT');
  expect([result.ok ? undefined : result.code, text]).toEqual([scenario.code, expectedText(name, dialect, text)]);
  expect(treeOf(root)).toEqual(treeOf(expectedTree(name)));
});

test('there is a scenario for every verb', () => {
  const verbs = new Set(Object.values(spellings).flatMap((table) => Object.keys(table)));
  expect(new Set(names.map((name) => scenarioOf(name).verb))).toEqual(verbs);
});

function stage(name: string): string {
  const root = tempFolder();
  lay(join(folder, name, 'before'), root);
  const unstaged = join(folder, name, 'unstaged');
  if (!scenarioOf(name).verb.startsWith('diff')) return root;
  sh(root, 'git init -q -b main && git add -A && git commit -q -m first');
  if (existsSync(unstaged)) lay(unstaged, root);
  return root;
}

/** Copies files with the modes that a checkout has everywhere: 755 for what runs, 644 for the rest. */
function lay(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const path of filesIn(to)) {
    const full = join(to, path);
    chmodSync(full, lstatSync(full).mode & 0o100 ? 0o755 : 0o644);
  }
}

function expectedTree(name: string): string {
  const after = join(folder, name, 'after');
  const root = tempFolder();
  lay(existsSync(after) ? after : join(folder, name, 'before'), root);
  return root;
}

/** Every file with its mode and bytes, but git's own. */
function treeOf(root: string): Record<string, string> {
  return Object.fromEntries(
    filesIn(root).map((path) => {
      const full = join(root, path);
      const mode = (lstatSync(full).mode & 0o777).toString(8);
      return [path, `${mode} ${readFileSync(full).toString('latin1')}`];
    }),
  );
}

function filesIn(root: string): string[] {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return all
    .filter((path) => !path.startsWith('.git/') && path !== '.git' && lstatSync(join(root, path)).isFile())
    .sort();
}

/** `RECORD=1` writes the texts that came, to be read before they are kept. */
function expectedText(name: string, dialect: string, got: string): string {
  const own = join(folder, name, `result.${dialect}.txt`);
  const common = join(folder, name, 'result.txt');
  const file = existsSync(own) ? own : common;
  const kept = existsSync(file) && readFileSync(file, 'utf8') === got;
  if (process.env.RECORD !== undefined && !kept) writeFileSync(existsSync(common) ? own : common, got);
  return readFileSync(existsSync(own) ? own : common, 'utf8');
}
