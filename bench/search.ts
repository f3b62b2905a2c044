import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type App, createApp } from '../src/app.ts';
import { nobody } from '../src/gate/approver.ts';
import { wasmEngine } from '../src/process/rg-wasm.ts';
import { createToolState } from '../src/tool/state.ts';
import type { ToolContext } from '../src/tool/tool.ts';
import { shiroGrep } from '../src/tools/grep.ts';
import { openWorkspace } from '../src/workspace/workspace.ts';
import { type Comparison, compare } from './measure.ts';

const files = 96_000;
const rare = 'zebra_kthread_bind';

/**
 * Searching and listing through the gate against the bundled rg, on one tree of 96,000 files, page cache warm. The tree
 * is made on the fly, or taken from BENCH_TREE: a git repository of at least 90,000 files in which `import` is common.
 */
export async function run(): Promise<Comparison[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'benchdog-bench-'));
  const root = process.env.BENCH_TREE ?? makeTree(join(scratch, 'ws'));
  try {
    const app = await createApp({
      flags: { root, approve: 'all', dialect: 'shiro' },
      env: { ...process.env, BENCHDOG_HOME: join(scratch, 'home') },
      session: 'bench',
      approver: nobody,
    });
    const results = await comparisons(app, root);
    await app.close();
    return results;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Sources of mixed sizes in a few thousand folders, committed. */
function makeTree(root: string): string {
  const line = "import { thing } from './thing.ts';\nexport const value = thing(1, 2, 3);\n";
  for (let at = 0; at < files; at += 1) {
    const ending = ['ts', 'js', 'json'][at % 3];
    const path = join(root, `p${at % 60}`, `m${at % 1800}`, `lib${at % 5400}`, `file${at}.${ending}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, line.repeat(1 + ((at * 7919) % 120)));
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: root });
  git('init', '-q', '.');
  git('add', '-A');
  git('commit', '-qm', 'tree');
  return root;
}

async function comparisons(app: App, root: string): Promise<Comparison[]> {
  const rg = (...args: string[]) => {
    const file = rgPath();
    return () => spawnSync(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 31 }).status;
  };
  const call = (tool: string, args: object) => () => app.gate.call({ id: 'bench', tool, args });
  const one = (name: string, ours: () => unknown, against: string, floor: () => unknown, limit: number) =>
    compare({ name, against, ours, floor, limit, rounds: 5, warmup: 1 });
  return [
    await one('grep, rare', call('grep', { pattern: rare }), 'rg', rg(rare, './'), 1.05),
    await one('grep, common, to the cap', call('grep', { pattern: 'import' }), 'rg, all', rg('import', './'), 0.25),
    await one('glob, capped', call('glob', { pattern: '**/*.ts' }), 'rg --files', rg('--files'), 0.3),
    await one('glob, in full', call('glob', { pattern: '**/*.ts', limit: 1e6 }), 'rg --files', rg('--files'), 1.2),
    await one('list_dir, depth 2', call('list_dir', {}), 'rg --files', rg('--files'), 0.2),
    await one(
      'grep, cancelled after 50 ms',
      cancelled(app, 'grep', { pattern: '[a-z]+ing .{50}zzz' }),
      '150 ms',
      () => after(150),
      1,
    ),
    await one(
      'glob, cancelled after 50 ms',
      cancelled(app, 'glob', { pattern: '**/*.none' }),
      '150 ms',
      () => after(150),
      1,
    ),
    await one('grep, rare, WebAssembly', wasmSearch(root), 'rg', rg(rare, './'), 5),
  ];
}

/** A search that would take long, and a call that nobody waits for any more. */
function cancelled(app: App, tool: string, args: object): () => Promise<unknown> {
  return async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const result = await app.gate.call({ id: 'bench', tool, args }, { signal: stop.signal });
    if (result.ok || result.code !== 'interrupted') throw new Error(`${tool} was not interrupted: ${result.text}`);
  };
}

/** The fallback engine, past the gate: nothing else differs. */
function wasmSearch(root: string): () => Promise<unknown> {
  const engine = wasmEngine();
  const grep = shiroGrep({ engine: () => engine, ignoreFiles: [] });
  const context: ToolContext = {
    workspace: openWorkspace({ root }),
    callId: 'bench',
    signal: new AbortController().signal,
    state: createToolState(),
    emit: () => {},
  };
  return async () => (await grep.prepare({ pattern: rare }, context)).plan();
}

function rgPath(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
  return require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
}
