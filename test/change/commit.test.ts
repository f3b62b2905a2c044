import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/change/change.ts';
import { commit } from '../../src/change/commit.ts';
import { openJournal } from '../../src/change/recover.ts';
import { stateNow } from '../../src/change/state-now.ts';
import { entryPath } from '../../src/workspace/entry-path.ts';
import { digestOf, type FileState, fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

async function bench(files: Record<string, string> = {}) {
  const folder = tempFolder(files);
  const home = tempFolder();
  const workspace = openWorkspace({ root: folder });
  const journal = await openJournal({ home, root: workspace.root });
  const origin = { callId: 'c1', session: 's1', tool: 'edit_file' };
  const at = (name: string) => workspace.resolve(name);
  const state = (text: string, mode?: number) => fileState(Buffer.from(text), mode);
  return {
    folder,
    home,
    journal,
    workspace,
    at,
    state,
    path: (name: string) => join(folder, name),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    mode: (name: string) => (lstatSync(join(folder, name)).mode & 0o7777).toString(8),
    names: () => (readdirSync(folder, { recursive: true }) as string[]).sort(),
    run: (changes: Change[], onStep?: (step: string) => void) =>
      commit(changes, { workspace, journal, origin, ...(onStep ? { onStep } : {}) }),
    modify: async (name: string, text: string, mode?: number): Promise<Change> => {
      const before = await workspace.read(at(name));
      return { type: 'modify', path: at(name), before, after: state(text, mode ?? before.mode) };
    },
    create: (name: string, text: string, mode?: number): Change => ({
      type: 'create',
      path: at(name),
      after: state(text, mode),
    }),
    remove: async (name: string): Promise<Change> => ({
      type: 'delete',
      path: at(name),
      before: await workspace.read(at(name)),
    }),
    rename: async (name: string, to: string, text?: string): Promise<Change> => {
      const before = await workspace.read(at(name));
      const after = text === undefined ? before : state(text, before.mode);
      return { type: 'rename', path: at(name), to: at(to), before, after };
    },
  };
}

describe('a set of changes', () => {
  test('creates, modifies, renames and deletes', async () => {
    const b = await bench({ a: 'a1', b: 'b1', c: 'c1' });
    await b.run([
      await b.modify('a', 'a2'),
      await b.rename('b', 'sub/b2'),
      await b.remove('c'),
      b.create('x/y/z', 'z1'),
    ]);
    expect(b.names()).toEqual(['a', 'sub', 'sub/b2', 'x', 'x/y', 'x/y/z']);
    expect([b.read('a'), b.read('sub/b2'), b.read('x/y/z')]).toEqual(['a2', 'b1', 'z1']);
    expect(b.journal.byCall('c1').map((entry) => entry.changes.map(({ type, path, to }) => [type, path, to]))).toEqual([
      [
        ['modify', 'a', undefined],
        ['rename', 'b', 'sub/b2'],
        ['delete', 'c', undefined],
        ['create', 'x/y/z', undefined],
      ],
    ]);
  });

  test('an empty one does nothing and leaves no entry', async () => {
    const b = await bench();
    expect(await b.run([])).toBe(undefined);
    expect(b.journal.entries()).toEqual([]);
  });

  test('that names a path twice is refused', async () => {
    const b = await bench({ a: '1' });
    await expect(b.run([await b.modify('a', '2'), await b.remove('a')])).rejects.toMatchObject({
      code: 'invalid',
      message: 'a is named by two changes of one set. Nothing was changed.',
    });
  });

  test('of which one can not be done leaves everything as it was, made folders included', async () => {
    const b = await bench({ a: '1', b: '1' });
    const changes = [await b.modify('a', '2'), b.create('new/deep/c', 'x'), await b.modify('b', '2')];
    const onStep = (step: string) => {
      if (step.startsWith('rename') && step.endsWith(' b')) throw Object.assign(new Error('EIO: i/o'), { code: 'EIO' });
    };
    await expect(b.run(changes, onStep)).rejects.toMatchObject({
      code: 'failed',
      message: 'The disk reported an error. (EIO: i/o) Nothing was changed.',
    });
    expect(b.names()).toEqual(['a', 'b']);
    expect([b.read('a'), b.read('b')]).toEqual(['1', '1']);
    expect(b.journal.entries()).toEqual([]);
    expect(b.journal.unfinished()).toEqual([]);
  });
});

describe('what it was made for must still be there', () => {
  const again = 'Nothing was changed. Read it again and send a change made for what it is now.';

  test('bytes of the same length that differ', async () => {
    const b = await bench({ a: '1' });
    const change = await b.modify('a', '2');
    writeFileSync(b.path('a'), '3');
    await expect(b.run([change])).rejects.toMatchObject({
      code: 'stale',
      message: `a changed since it was read: its bytes differ (still 1 bytes). ${again}`,
    });
    expect(b.read('a')).toBe('3');
  });

  test('another mode', async () => {
    const b = await bench({ a: '1' });
    const change = await b.modify('a', '2');
    chmodSync(b.path('a'), 0o755);
    await expect(b.run([change])).rejects.toMatchObject({
      code: 'stale',
      message: `a changed since it was read: its mode is now 0755, it was 0644. ${again}`,
    });
  });

  test('a file that is gone', async () => {
    const b = await bench({ a: '1' });
    const change = await b.remove('a');
    unlinkSync(b.path('a'));
    await expect(b.run([change])).rejects.toMatchObject({
      code: 'stale',
      message: 'a is gone: it was deleted or moved since it was read. Nothing was changed.',
    });
  });

  test('a file that became a link or a folder', async () => {
    const b = await bench({ a: '1', b: '1' });
    const [one, two] = [await b.modify('a', '2'), await b.modify('b', '2')];
    unlinkSync(b.path('a'));
    symlinkSync('b', b.path('a'));
    await expect(b.run([one])).rejects.toMatchObject({
      code: 'stale',
      message: `a changed since it was read: it is now a symbolic link. ${again}`,
    });
    unlinkSync(b.path('b'));
    mkdirSync(b.path('b'));
    await expect(b.run([two])).rejects.toMatchObject({
      code: 'conflict',
      message: 'path is not a regular file: b is a directory. Nothing was changed.',
    });
  });

  test('a free name for a new or renamed file', async () => {
    const b = await bench({ a: '1' });
    const changes = [b.create('b', 'x'), await b.rename('a', 'b')];
    writeFileSync(b.path('b'), 'mine');
    await expect(b.run([changes[0]!])).rejects.toMatchObject({
      code: 'conflict',
      message: 'b already exists. Nothing was changed.',
    });
    await expect(b.run([changes[1]!])).rejects.toMatchObject({
      code: 'conflict',
      message: "b already exists; a can't be renamed to it. Nothing was changed.",
    });
    expect(b.read('b')).toBe('mine');
  });

  test('a name that is taken at the very last moment is not overwritten either', async () => {
    const b = await bench({ old: '1' });
    for (const change of [b.create('b', 'x'), await b.rename('old', 'b'), await b.rename('old', 'b', 'new')]) {
      const onStep = (step: string) => {
        if (/^link \S+ b$/.test(step)) writeFileSync(b.path('b'), 'mine');
      };
      await expect(b.run([change], onStep)).rejects.toMatchObject({
        code: 'conflict',
        message: 'b already exists. Nothing was changed.',
      });
      expect([b.read('b'), b.read('old')]).toEqual(['mine', '1']);
      expect(b.names()).toEqual(['b', 'old']);
      unlinkSync(b.path('b'));
    }
  });

  test('an edit by a program without locks while the new content is written is not lost', async () => {
    const b = await bench({ a: '1' });
    const onStep = (step: string) => {
      if (step === 'sync') writeFileSync(b.path('a'), 'theirs');
    };
    await expect(b.run([await b.modify('a', '2')], onStep)).rejects.toMatchObject({
      code: 'stale',
      message: 'a was changed by somebody else just now. Read it again. Nothing was changed.',
    });
    expect(b.read('a')).toBe('theirs');
    expect(b.names()).toEqual(['a']);
  });

  test('a folder on the way that became a link out of the workspace', async () => {
    const b = await bench({ 'out/keep.txt': 'old' });
    const outside = tempFolder({ 'keep.txt': 'old' });
    const change = await b.modify('out/keep.txt', 'new');
    renameSync(b.path('out'), b.path('out.bak'));
    symlinkSync(outside, b.path('out'));
    await expect(b.run([change])).rejects.toMatchObject({ code: 'outside' });
    await expect(b.run([{ ...b.create('x', 'x'), path: change.path }])).rejects.toMatchObject({ code: 'outside' });
    expect(readdirSync(outside)).toEqual(['keep.txt']);
    expect(readFileSync(join(outside, 'keep.txt'), 'utf8')).toBe('old');
  });
});

describe('never written', () => {
  test.each(['.git/config', '.GIT/hooks/x', 'sub/.git', '.git'])('%s', async (name) => {
    const b = await bench();
    await expect(b.run([b.create(name, 'x')])).rejects.toMatchObject({
      code: 'denied',
      message: `${name} is git's own data, which file tools never write. Nothing was changed.`,
    });
    expect(b.names()).toEqual([]);
  });

  test('a path of a read-only mount', async () => {
    const b = await bench();
    const change = b.create('x', 'x');
    await expect(b.run([{ ...change, path: { ...change.path, mount: '@output/1' } }])).rejects.toMatchObject({
      code: 'denied',
      message: 'x lies in @output/1, which is read-only. Nothing was changed.',
    });
  });

  test('a named pipe, which is not opened either', async () => {
    const b = await bench();
    execFileSync('mkfifo', [b.path('pipe')]);
    const path = b.at('pipe');
    for (const change of [
      { type: 'modify', path, before: b.state(''), after: b.state('x') },
      { type: 'delete', path, before: b.state('') },
    ] as const) {
      await expect(b.run([change])).rejects.toMatchObject({
        code: 'conflict',
        message: 'path is not a regular file: pipe is a named pipe. Nothing was changed.',
      });
    }
    await expect(b.run([b.create('pipe', 'x')])).rejects.toMatchObject({ code: 'conflict' });
    expect(lstatSync(b.path('pipe')).isFIFO()).toBe(true);
  });

  test('the content of a file that nobody may write, root neither; deleting, renaming, unlocking are open', async () => {
    const b = await bench({ a: '1', b: '1', c: '1' });
    for (const name of ['a', 'b', 'c']) chmodSync(b.path(name), 0o444);
    const text =
      'a is read-only (mode 0444). Nothing was changed. If it is meant to be edited, make it writable first.';
    await expect(b.run([await b.modify('a', '2')])).rejects.toMatchObject({ code: 'failed', message: text });
    await expect(b.run([await b.rename('a', 'd', '2')])).rejects.toMatchObject({ code: 'failed', message: text });
    await b.run([await b.modify('a', '2', 0o644), await b.rename('b', 'b2'), await b.remove('c')]);
    expect(b.names()).toEqual(['a', 'b2']);
    expect([b.mode('a'), b.mode('b2'), b.read('a')]).toEqual(['644', '444', '2']);
  });
});

describe('kept', () => {
  test.each([0o600, 0o664, 0o755, 0o4755, 0o2750, 0o1644])('mode %o', async (mode) => {
    const b = await bench({ a: '1' });
    chmodSync(b.path('a'), mode);
    await b.run([await b.modify('a', '2')]);
    await b.run([await b.rename('a', 'b', '3')]);
    expect(b.mode('b')).toBe(mode.toString(8));
  });

  test('a private file is at no moment open to others, the temp file included', async () => {
    const b = await bench({ private: '1' });
    chmodSync(b.path('private'), 0o600);
    const modes = new Set<string>();
    const onStep = () => {
      for (const name of b.names()) modes.add(b.mode(name));
    };
    await b.run([await b.modify('private', '2')], onStep);
    expect([...modes]).toEqual(['600']);
  });

  test('a new file gets its mode less the umask, as any program would make it', async () => {
    const b = await bench();
    const old = process.umask(0o027);
    try {
      await b.run([b.create('a', 'x'), b.create('b', 'x', 0o755)]);
    } finally {
      process.umask(old);
    }
    expect([b.mode('a'), b.mode('b')]).toEqual(['640', '750']);
  });

  test('all names of a hard link, written in place', async () => {
    const b = await bench({ a: 'one\n' });
    linkSync(b.path('a'), b.path('b'));
    const { ino } = statSync(b.path('a'));
    await b.run([await b.modify('a', 'a longer text\n')]);
    expect([b.read('a'), b.read('b'), statSync(b.path('a')).ino]).toEqual(['a longer text\n', 'a longer text\n', ino]);
    await b.run([await b.modify('b', 'x')]);
    expect([b.read('a'), statSync(b.path('a')).nlink]).toEqual(['x', 2]);
  });

  test('the link through which a file was named', async () => {
    const b = await bench({ 'real/settings.json': '1' });
    symlinkSync('real/settings.json', b.path('settings.json'));
    await b.run([await b.modify('settings.json', '2')]);
    expect(lstatSync(b.path('settings.json')).isSymbolicLink()).toBe(true);
    expect(b.read('real/settings.json')).toBe('2');
  });

  test.runIf(process.getuid?.() === 0)('owner and group', async () => {
    const b = await bench({ a: '1' });
    chownSync(b.path('a'), 1234, 5678);
    chmodSync(b.path('a'), 0o6755);
    await b.run([await b.modify('a', '2')]);
    await b.run([await b.rename('a', 'b', '3')]);
    const { uid, gid } = statSync(b.path('b'));
    expect([uid, gid, b.mode('b')]).toEqual([1234, 5678, '6755']);
  });

  test('the inode, times and all, when only name or mode change', async () => {
    const b = await bench({ a: '1' });
    const { ino, mtimeMs } = statSync(b.path('a'));
    await b.run([await b.rename('a', 'b')]);
    await b.run([await b.modify('b', '1', 0o755)]);
    const stats = statSync(b.path('b'));
    expect([stats.ino, stats.mtimeMs, b.mode('b')]).toEqual([ino, mtimeMs, '755']);
  });
});

describe('symbolic links as changes', () => {
  const link = (target: string): FileState => {
    const bytes = Buffer.from(target);
    return { kind: 'symlink', bytes, mode: 0o777, digest: digestOf(bytes) };
  };

  test('are made, pointed elsewhere, turned into files and back, renamed and deleted', async () => {
    const b = await bench({ a: '1' });
    const path = entryPath(b.workspace.root, 'l');
    const to = entryPath(b.workspace.root, 'm');
    await b.run([{ type: 'create', path, after: link('a') }]);
    expect(b.read('l')).toBe('1');
    await b.run([{ type: 'modify', path, before: link('a'), after: link('nowhere') }]);
    await b.run([{ type: 'modify', path, before: link('nowhere'), after: b.state('text') }]);
    expect(lstatSync(b.path('l')).isFile()).toBe(true);
    await b.run([{ type: 'modify', path, before: b.state('text'), after: link('a') }]);
    await b.run([{ type: 'rename', path, to, before: link('a'), after: link('a') }]);
    await b.run([{ type: 'rename', path: to, to: path, before: link('a'), after: link('b') }]);
    await expect(b.run([{ type: 'delete', path, before: link('a') }])).rejects.toMatchObject({ code: 'stale' });
    await b.run([{ type: 'delete', path, before: link('b') }]);
    expect(b.names()).toEqual(['a']);
  });
});

describe('side by side', () => {
  test('two commits of one file: one lands, one is told that it is stale', async () => {
    const b = await bench({ a: 'a1' });
    const changes = [await b.modify('a', 'one'), await b.modify('a', 'two')];
    const results = await Promise.allSettled(changes.map((change) => b.run([change])));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({
      code: 'stale',
      message:
        'a changed since it was read: it has 3 bytes now, it had 2. Nothing was changed. Read it again and send a change made for what it is now.',
    });
    expect(b.read('a')).toBe('one');
  });

  test('two names of one hard link are one file', async () => {
    const b = await bench({ a: 'a1' });
    linkSync(b.path('a'), b.path('b'));
    const changes = [await b.modify('a', 'one'), await b.modify('b', 'two')];
    const results = await Promise.allSettled(changes.map((change) => b.run([change])));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('nor can one set give two contents to it', async () => {
    const b = await bench({ a: 'a1' });
    linkSync(b.path('a'), b.path('b'));
    await expect(b.run([await b.modify('a', 'one'), await b.modify('b', 'two')])).rejects.toMatchObject({
      code: 'conflict',
      message:
        'a and b are two names of one file (a hard link). Nothing was changed. Change one of them; the other follows.',
    });
    await b.run([await b.modify('a', 'one'), await b.remove('b')]);
    expect([b.read('a'), b.names()]).toEqual(['one', ['a']]);
  });

  test('different files, and sets in opposite orders, do not stand in each other’s way', async () => {
    const b = await bench({ a: '1', b: '1', c: '1' });
    const one = [await b.modify('a', '2'), await b.modify('b', '2')];
    const two = [await b.modify('b', '3'), await b.modify('a', '3')];
    const results = await Promise.allSettled([b.run(one), b.run(two), b.run([await b.modify('c', '4')])]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(new Set([b.read('a'), b.read('b')]).size).toBe(1);
  });

  test('a change of the second file while the first gets its name puts the first back', async () => {
    const b = await bench({ a: '1', b: '1' });
    const onStep = (step: string) => {
      if (step.startsWith('rename') && step.endsWith(' a')) writeFileSync(b.path('b'), 'theirs');
    };
    await expect(b.run([await b.modify('a', '2'), await b.modify('b', '2')], onStep)).rejects.toMatchObject({
      code: 'stale',
      message: 'b was changed by somebody else just now. Read it again. Nothing was changed.',
    });
    expect([b.read('a'), b.read('b'), b.names()]).toEqual(['1', 'theirs', ['a', 'b']]);
  });

  test('no lock, descriptor or working file is left', async () => {
    const b = await bench({ a: '1' });
    await b.run([await b.modify('a', '2')]);
    const open = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
    const before = open();
    for (let round = 0; round < 5; round += 1) {
      await b.run([await b.modify('a', `${round}`), b.create(`d${round}/x`, '')]);
      await expect(b.run([b.create('a', '')])).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(open()).toBe(before);
    expect(readdirSync(join(b.home, 'journal', 'locks'))).toEqual([]);
    expect(b.names().filter((name) => name.includes('benchdog'))).toEqual([]);
  });
});

describe('names of our own stay out of what a reader is told', () => {
  test('a file on the way', async () => {
    const { run, create } = await bench({ a: '1' });
    await expect(run([create('a/x', 'new')])).rejects.toMatchObject({
      code: 'conflict',
      message: 'a is a file, so nothing can be created below it. Nothing was changed.',
    });
  });

  test('a folder on the way that has become a link out of the workspace', async () => {
    const { run, create, folder } = await bench({ 'd/a': '1' });
    const changes = [create('d/x', 'new')];
    renameSync(join(folder, 'd'), join(folder, 'e'));
    symlinkSync(tempFolder(), join(folder, 'd'));
    await expect(run(changes)).rejects.toMatchObject({
      code: 'outside',
      message: 'A folder on the way to d was moved or became a link while it was used. Nothing was read or written.',
    });
  });

  test('a name longer than the file system takes', async () => {
    const { run, create, workspace } = await bench();
    const name = 'x'.repeat(256);
    const message = `path can't be used: a name in ${name} is longer than the file system allows.`;
    expect(() => stateNow(workspace, workspace.resolve(name))).toThrow(message);
    await expect(run([create(name, '')])).rejects.toMatchObject({
      code: 'invalid',
      message: `${message} Nothing was changed.`,
    });
  });
});
