import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { nativeEngine } from '../../src/process/rg.ts';
import { type EngineEnd, type EngineRun, nothingSkipped, type SearchEngine } from '../../src/process/rg-engine.ts';
import { shiroGrep } from '../../src/tools/grep.ts';
import { cutAround } from '../../src/workspace/cut-line.ts';
import { ignoreJudge } from '../../src/workspace/ignore.ts';
import { kernelMounts, refuseKernel } from '../../src/workspace/kernel-mounts.ts';
import { openRoot } from '../../src/workspace/path.ts';
import { ignoredFolders } from '../../src/workspace/prune.ts';
import { longestSearch } from '../../src/workspace/search.ts';
import { readRows } from '../../src/workspace/search-rows.ts';
import { openWalk, walkAll } from '../../src/workspace/walk.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

/** An engine that says what it is told to. */
const saying = (output: string, errors: string, code: number): SearchEngine => ({
  name: 'rg',
  start: (): EngineRun => ({
    output: (async function* () {
      yield Buffer.from(output);
    })(),
    ended: Promise.resolve({ code, errors, skipped: nothingSkipped }),
    stop: () => {},
  }),
});

const grep = (engine: SearchEngine, root: string, signal?: AbortSignal) =>
  callTool(
    shiroGrep({ engine: () => engine, ignoreFiles: [] }),
    { pattern: 'needle' },
    { root, ...(signal && { signal }) },
  );

test('one unreadable file is a note, not a failure', async () => {
  const root = tempFolder({ 'ok.txt': 'needle\n', 'locked.txt': 'needle\n' });
  const engine = saying('./ok.txt\x001:1:0:x\n', 'rg: ./locked.txt: Permission denied (os error 13)\n', 2);
  expect((await grep(engine, root)).text).toBe('ok.txt:1: needle\n[1 path could not be read: locked.txt]');
});

test('the note names nothing behind a link, nothing hidden and nothing that is not there', async () => {
  const outside = tempFolder({ 'plans.txt': 'needle' });
  const root = tempFolder({ 'ok.txt': 'needle\n', 'locked.txt': 'needle\n' });
  symlinkSync(outside, join(root, 'swapped'));
  const complaints = ['locked.txt', 'swapped/plans.txt', 'gone.txt'].map(
    (name) => `rg: ./${name}: Denied (os error 13)\n`,
  );
  const engine = saying('./ok.txt\x001:1:0:x\n', complaints.join(''), 2);
  expect((await grep(engine, root)).text).toBe('ok.txt:1: needle\n[1 path could not be read: locked.txt]');
});

test('what the engine claims is not believed: hidden, outside and changed places give nothing', async () => {
  const root = tempFolder({ 'ok.txt': 'other\nneedle\n' });
  const rows = [
    '../etc/passwd\x001:1:0:x\n',
    '/etc/passwd\x001:1:0:x\n',
    './ok.txt\x002:1:3:x\n',
    './gone.txt\x001:1:0:x\n',
  ];
  expect((await grep(saying(rows.join(''), '', 0), root)).text).toBe('No matches.');
});

test('trouble with the engine itself is told', async () => {
  expect(await grep(saying('', 'rg: out of luck\n', 2), tempFolder())).toMatchObject({
    code: 'failed',
    text: 'The search failed: rg: out of luck',
  });
});

test('an engine that was killed is told of', async () => {
  const engine: SearchEngine = {
    name: 'rg',
    start: (args, cwd) => {
      const run = nativeEngine()!.start(args, cwd);
      run.stop();
      return run;
    },
  };
  expect(await grep(engine, tempFolder({ a: 'x' }))).toMatchObject({
    code: 'failed',
    text: 'The search failed: ended by SIGKILL',
  });
});

test('a search that takes too long ends with what it found, and says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let stop = () => {};
    const stopped = new Promise<void>((done) => {
      stop = done;
    });
    const engine: SearchEngine = {
      name: 'rg',
      start: () => ({
        output: (async function* () {
          yield Buffer.from('./a\x001:1:0:x\n./b\x001:1:0:x\n');
          vi.advanceTimersByTime(longestSearch);
          await stopped;
        })(),
        ended: stopped.then(() => ({ code: 2, errors: 'ended by SIGKILL', skipped: nothingSkipped })),
        stop,
      }),
    };
    expect((await grep(engine, tempFolder({ a: 'needle', b: 'needle' }))).text).toBe(
      'a:1: needle\nb:1: needle\n[ended after 120 s, so there may be more: narrow the pattern or where it is searched]',
    );
  } finally {
    vi.useRealTimers();
  }
});

test('a search that goes on tells so, also while it finds nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    const engine: SearchEngine = {
      name: 'rg',
      start: () => ({
        output: (async function* () {
          vi.advanceTimersByTime(1000);
          yield Buffer.from('./a\x001:1:0:x\n./b\x001:1:0:x\n');
          vi.advanceTimersByTime(500);
        })(),
        ended: Promise.resolve({ code: 0, errors: '', skipped: nothingSkipped }),
        stop: () => {},
      }),
    };
    const { progress } = await grep(engine, tempFolder({ a: 'needle', b: 'needle' }));
    expect(progress).toEqual(
      ['0 hits so far, 1 s', '0 hits so far, 1 s', '1 hit so far, 2 s'].map((text) => ({ type: 'status', text })),
    );
  } finally {
    vi.useRealTimers();
  }
});

describe.runIf(process.platform === 'linux')('mounts of the kernel', () => {
  test('are found below the root, whatever it is, and refused as the place of a search', () => {
    const mounts = kernelMounts(openRoot('/'));
    expect(mounts).toContain('proc');
    expect(kernelMounts(openRoot(tempFolder()))).toEqual([]);
    const workspace = openWorkspace({ root: '/' });
    expect(() => refuseKernel(workspace.resolve('proc/version'), mounts)).toThrow(
      'proc/version is an interface of the kernel, not files: it is not searched.',
    );
    expect(() => refuseKernel(workspace.resolve('etc'), mounts)).not.toThrow();
  });

  test('are listed and not gone into', async () => {
    const workspace = openWorkspace({ root: '/' });
    const { signal } = new AbortController();
    const options = { ignoreFiles: [], includeIgnored: true, skip: () => false, signal };
    const { folder } = await openWalk(workspace, { ...options, base: workspace.resolve('.') });
    const proc = folder!.entries.find((entry) => entry.rel === 'proc')!;
    expect((await folder!.enter(proc)).entries).toEqual([]);
  });
});

async function rowsOf(chunks: readonly string[]) {
  const source = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  })();
  const files: unknown[] = [];
  for await (const { path, hits } of readRows(source)) files.push([path.toString(), hits.map((hit) => hit.line)]);
  return files;
}

test('rows are read whatever the pieces they come in, newlines in names and notices included', async () => {
  const printed =
    './a\x001:1:0:x\r\n./a\x002:1:9:x\r\n./a: WARNING: stopped searching binary file after match (found "\\0")\n./b\nc\x003:1:0:\n\n'.replace(
      ':\n\n',
      ':x\n',
    );
  const expected = [
    ['./a', [1, 2]],
    ['./b\nc', [3]],
  ];
  expect(await rowsOf([printed])).toEqual(expected);
  expect(await rowsOf([...printed])).toEqual(expected);
});

describe.each(engines)('cancelling (%s)', (_, engine) => {
  test('ends the engine, however busy it is, and the call', async () => {
    const root = tempFolder({ a: 'a'.repeat(4_000_000) });
    const stop = new AbortController();
    let ended: Promise<EngineEnd> | undefined;
    const watched: SearchEngine = {
      ...engine,
      start: (args, cwd) => {
        const run = engine.start(args, cwd);
        ended = run.ended;
        setImmediate(() => stop.abort());
        return run;
      },
    };
    const tool = shiroGrep({ engine: () => watched, ignoreFiles: [] });
    // Takes minutes when nobody stops it.
    const search = callTool(tool, { pattern: 'a{1000}{200}b' }, { root, signal: stop.signal });
    await expect(search).resolves.toMatchObject({ text: expect.stringContaining('aborted') });
    expect((await ended!).code).not.toBe(1);
  });
});

test('a cancelled walk goes into no further folder', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const root = tempFolder(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${at}/f`, ''])));
    const workspace = openWorkspace({ root });
    const stop = new AbortController();
    const options = { ignoreFiles: [], includeIgnored: false, skip: () => false, signal: stop.signal };
    const { folder } = await openWalk(workspace, { ...options, base: workspace.resolve('.') });
    const seen: string[] = [];
    const walk = walkAll(folder!, stop.signal, ({ rel }) => {
      seen.push(rel);
      vi.advanceTimersByTime(20);
      if (rel === 'd1/f') stop.abort();
      return true;
    });
    await expect(walk).rejects.toThrow('aborted');
    expect(seen).toEqual(['d0', 'd0/f', 'd1', 'd1/f', 'd10']);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['short', 0, 10, 'short'],
  ['abcdefghijkl', 0, 6, 'abcdef… [line cut at 6 chars]'],
  ['abcdefghijkl', 6, 6, '…efghij… [line cut at 6 chars]'],
  ['abcdefghijkl', 11, 6, '…ghijkl [line cut at 6 chars]'],
  ['😀😀😀😀', 4, 3, '…😀… [line cut at 3 chars]'],
])('%s around %d cut to %d', (line, at, max, shown) => {
  expect(cutAround(line, at, max, { left: false, right: false })).toBe(shown);
});

test('the engine is kept out of ignored folders near the top', async () => {
  const root = tempFolder({
    '.gitignore': 'out\n',
    'out/a': '',
    'p/q/out/b': '',
    'p/q/in/c': '',
    'node_modules/d': '',
  });
  const { signal } = new AbortController();
  const judge = await ignoreJudge(root, { files: [], signal });
  expect(await ignoredFolders(root, judge, '.', ['node_modules'])).toEqual(['out', 'p/q/out']);
});
