import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { revert } from '../../src/cli/revert.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';
import { noViews, openViewGate, ran, snapshot, viewTitle } from '../support/view.ts';

const many = (count: number, text: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/part${at % 10}/file${at}.txt`, text(at)]));

/** Runs a command in a view of `root`, checks that undo gives exactly what was and redo exactly what came, and tells both. */
async function inView(root: string, command: string) {
  const gate = await openViewGate({ root });
  const before = snapshot(root);
  const result = await gate.call('bash', { command });
  const after = snapshot(root);
  if (result.ok && result.changes.length > 0) {
    await revert(gate.app, 'undo', {});
    expect(snapshot(root)).toEqual(before);
    await revert(gate.app, 'redo', {});
    expect(snapshot(root)).toEqual(after);
  }
  return { result, before, after, gate };
}

describe.skipIf(noViews !== undefined)(viewTitle('real commands in a view, taken back and done again'), () => {
  test('a few files: created, modified, renamed, deleted, made executable, linked', async () => {
    const root = tempFolder({ 'a.txt': 'one\n', 'd/b.txt': 'two\n', 'gone/x': 'x\n', 's.sh': 'echo\n' });
    const { result, after } = await inView(
      root,
      'echo more >> a.txt; echo new > d/new.txt; rm -rf gone; mv d/b.txt d/c.txt; chmod +x s.sh; ln -s a.txt link',
    );
    expect(result).toEqual({
      ok: true,
      text: [
        `exit code: 0 ${ran}`,
        '(no output)',
        'changed (undo takes it back):',
        '  modify a.txt +1 -0',
        '  rename d/b.txt -> d/c.txt',
        '  create d/new.txt +1 -0',
        '  delete gone/x +0 -1',
        '  create link +1 -0',
        '  modify s.sh',
      ].join('\n'),
      changes: [
        { type: 'modify', path: 'a.txt', added: 1, removed: 0 },
        { type: 'rename', path: 'd/b.txt', to: 'd/c.txt', added: 0, removed: 0 },
        { type: 'create', path: 'd/new.txt', added: 1, removed: 0 },
        { type: 'delete', path: 'gone/x', added: 0, removed: 1 },
        { type: 'create', path: 'link', added: 1, removed: 0 },
        { type: 'modify', path: 's.sh', added: 0, removed: 0 },
      ],
    });
    expect(Object.keys(after)).toEqual(['a.txt', 'd', 'd/c.txt', 'd/new.txt', 'link', 's.sh']);
    expect(after['s.sh']).toContain('file 755');
  });

  test('one that changes nothing', async () => {
    const root = repository({ 'a.txt': 'one\n' });
    const { result, before, after, gate } = await inView(root, 'cat a.txt; git status --short; touch -r a.txt a.txt');
    expect(result).toEqual({ ok: true, text: `exit code: 0 ${ran}\nstdout:\none`, changes: [] });
    expect(after).toEqual(before);
    expect(gate.app.journal.entries()).toEqual([]);
  });

  test('sed -i over a tree', async () => {
    const root = tempFolder(many(200, (at) => `name ${at}\n`));
    const { result, after } = await inView(root, "find src -name '*.txt' | xargs sed -i s/name/NAME/");
    expect(result.ok && result.changes.length).toBe(200);
    expect(Object.values(after).filter((text) => text.includes('NAME'))).toHaveLength(200);
  });

  test('a rename across a thousand files', async () => {
    const root = tempFolder(many(1000, (at) => `import ${at}\n`));
    const { result, after } = await inView(root, 'mv src lib && sed -i s/import/export/ lib/part1/*.txt');
    expect(result.ok).toBe(true);
    expect(Object.keys(after).filter((path) => path.endsWith('.txt'))).toHaveLength(1000);
    expect(existsSync(join(root, 'src'))).toBe(false);
  });

  test('rm -rf, and a folder made anew in the place of an old one', async () => {
    const root = tempFolder({ 'out/old/a': 'a', 'out/b': 'b', 'gone/x/y': 'y', 'same/1': '1', 'same/2': '2' });
    const command = 'rm -rf gone out && mkdir -m 700 out && echo c > out/c; rm -rf same; mkdir same; echo 3 > same/1';
    const { after } = await inView(root, command);
    expect(Object.keys(after)).toEqual(['out', 'out/c', 'same', 'same/1']);
    expect(after.out).toBe('folder 700');
  });

  test('a file that becomes a folder, a folder that becomes a file, a link that becomes a file', async () => {
    const root = tempFolder({ file: 'f', 'folder/x': 'x' });
    sh(root, 'ln -s file link');
    const { after } = await inView(
      root,
      'rm file; mkdir file; echo 1 > file/in; rm -r folder; echo 2 > folder; rm link; echo 3 > link',
    );
    expect(Object.keys(after)).toEqual(['file', 'file/in', 'folder', 'link']);
  });

  test('git commit: the commit lands, and the refs that moved are named', async () => {
    const root = repository({ 'a.txt': 'one\n' });
    const old = sh(root, 'git rev-parse HEAD').trim();
    const { result } = await inView(root, 'echo two >> a.txt && git commit -qam second');
    const now = sh(root, 'git rev-parse HEAD').trim();
    expect(sh(root, 'git fsck --strict 2>&1; git status --short; git log --format=%s')).toBe('second\nfirst\n');
    expect(result).toMatchObject({ ok: true, changes: [{ path: 'a.txt' }, { type: 'modify', path: '.git' }] });
    expect(now).not.toBe(old);
  });

  test('git checkout of another branch', async () => {
    const root = repository(
      { 'a.txt': 'one\n', 'only-main': 'x\n' },
      'git checkout -qb other && git rm -q only-main && echo 2 > a.txt && echo n > new && git add -A && git commit -qm other && git checkout -q main',
    );
    const { result } = await inView(root, 'git checkout -q other');
    expect(result.ok).toBe(true);
    expect(sh(root, 'git status --short; git branch --show-current; ls')).toBe('other\na.txt\nnew\n');
  });

  test('tar x: modes, times, links among the new files', async () => {
    const root = tempFolder({ 'in/a': 'a\n', 'in/run': 'x\n' });
    sh(
      root,
      'chmod 750 in/run; ln in/a in/b; ln -s a in/c; touch -d 2001-02-03T04:05:06Z in/a; tar cf x.tar in; rm -r in',
    );
    const { after } = await inView(root, 'tar xf x.tar');
    expect(lstatSync(join(root, 'in/a')).ino).toBe(lstatSync(join(root, 'in/b')).ino);
    expect(lstatSync(join(root, 'in/a')).mtime.toISOString()).toBe('2001-02-03T04:05:06.000Z');
    expect(after['in/run']).toContain('file 750');
    expect(after['in/c']).toBe('link a');
  });

  test('npm install from a folder', { timeout: 60_000 }, async () => {
    const dependency = tempFolder({
      'package.json': '{"name":"dep","version":"1.0.0"}',
      'index.js': 'module.exports = 1\n',
    });
    const pack = sh(dependency, 'npm pack --silent').trim();
    const root = tempFolder({
      'package.json': '{"name":"app","version":"1.0.0"}',
      'dep.tgz': readFileSync(join(dependency, pack)),
    });
    const { result } = await inView(root, 'npm install --offline --no-audit --no-fund ./dep.tgz');
    expect(result.ok && result.changes.map(({ path }) => path)).toEqual([
      'package-lock.json',
      'package.json',
      'node_modules',
    ]);
    expect(readFileSync(join(root, 'node_modules/dep/index.js'), 'utf8')).toBe('module.exports = 1\n');
  });

  test('a build that writes absolute paths', async () => {
    const root = tempFolder({ 'main.txt': 'x' });
    await inView(root, 'mkdir out && echo "$PWD/main.txt" > out/map && ln -s "$PWD/main.txt" out/abs && cat out/abs');
    expect(readFileSync(join(root, 'out/map'), 'utf8')).toBe(`${root}/main.txt\n`);
    expect(readFileSync(join(root, 'out/abs'), 'utf8')).toBe('x');
  });

  test('one name of a hard link: split, and named', async () => {
    const root = tempFolder({ a: 'one\n' });
    linkSync(join(root, 'a'), join(root, 'b'));
    const { result } = await inView(root, 'echo two >> a');
    expect(result.text).toContain(
      'note: a had another name (a hard link), which did not follow: it is a file of its own now.',
    );
    expect([readFileSync(join(root, 'a'), 'utf8'), readFileSync(join(root, 'b'), 'utf8')]).toEqual([
      'one\ntwo\n',
      'one\n',
    ]);
  });

  test('renaming a folder of the workspace in one step is not possible in a view: said so', async () => {
    const root = tempFolder({ 'd/a': 'a' });
    const { result, before, after } = await inView(root, `'${process.execPath}' -e 'fs.renameSync("d", "e")'`);
    expect(result.text).toContain('note: in a view a folder of the workspace can’t be renamed in one step (EXDEV)');
    expect(after).toEqual(before);
    expect((await inView(root, 'mv d e')).after).toMatchObject({
      e: 'folder 755',
      'e/a': expect.stringContaining('a'),
    });
  });

  test('large and sparse files are moved, not copied: by size and digest', { timeout: 60_000 }, async () => {
    const root = tempFolder();
    const { result, gate } = await inView(
      root,
      'truncate -s 1G sparse; head -c 5000000 /dev/zero > five; printf x >> five',
    );
    expect(result.ok && result.changes.map(({ path }) => path)).toEqual(['five', 'sparse']);
    const { blocks, size } = lstatSync(join(root, 'sparse'));
    expect([size, blocks]).toEqual([1024 ** 3, 0]);
    await gate.call('bash', { command: 'printf end >> sparse' });
    expect(lstatSync(join(root, 'sparse')).size).toBe(1024 ** 3 + 3);
    expect(lstatSync(join(root, 'sparse')).blocks).toBeLessThan(100);
  });

  test('a gigabyte without holes: moved as it is, in bounded memory', { timeout: 120_000 }, async () => {
    const root = tempFolder();
    const held = process.resourceUsage().maxRSS;
    const gate = await openViewGate({ root });
    const result = await gate.call('bash', { command: 'head -c 1G /dev/zero > big' });
    expect(result.ok && result.changes).toEqual([{ type: 'create', path: 'big', added: 0, removed: 0 }]);
    const { blocks } = lstatSync(join(root, 'big'));
    expect(blocks * 512).toBeGreaterThanOrEqual(1024 ** 3);
    await gate.call('bash', { command: 'rm big' });
    // More than undo keeps in all; the newest change always goes back.
    await revert(gate.app, 'undo', {});
    expect(lstatSync(join(root, 'big')).size).toBe(1024 ** 3);
    await gate.call('bash', {
      command: 'rm big; mkdir d && truncate -s 5G d/sparse && cp --sparse=always d/sparse copy',
    });
    expect(readdirSync(root).sort()).toEqual(['copy', 'd']);
    expect(lstatSync(join(root, 'copy')).blocks).toBeLessThan(100);
    expect((process.resourceUsage().maxRSS - held) / 1024).toBeLessThan(200);
  });

  test('another content of the same size and time', async () => {
    const root = tempFolder({ a: 'old\n', b: 'old\n' });
    sh(root, 'touch -d @0 a b');
    const { result } = await inView(root, 'rm a; echo new > a; touch -d @0 a; : >> b');
    expect(result.ok && result.changes).toEqual([{ type: 'modify', path: 'a', added: 1, removed: 1 }]);
  });

  test('folders that their owner may not write in', async () => {
    const root = tempFolder({ 'mod/a': 'a' });
    chmodSync(join(root, 'mod'), 0o555);
    const { after } = await inView(
      root,
      'mkdir -p made/closed && echo x > made/closed/x && chmod 555 made/closed; chmod 755 mod; rm -r mod',
    );
    expect(Object.keys(after)).toEqual(['made', 'made/closed', 'made/closed/x']);
    chmodSync(join(root, 'made/closed'), 0o755);
  });

  test('what it writes outside, such as in a cache, is named', async () => {
    const cache = join(homedir(), '.cache');
    mkdirSync(cache, { recursive: true });
    const { result } = await inView(tempFolder(), 'echo x > ~/.cache/benchdog-test');
    expect(result.text).toContain(`note: outside the workspace it wrote in ${cache}, which undo does not cover.`);
  });

  test('sockets and pipes are left out and named; names with any character are not', async () => {
    const root = tempFolder();
    const { result, after } = await inView(
      root,
      `mkfifo p; echo 1 > 'a b"\\,:é
c'`,
    );
    expect(result.text).toContain('note: p is a socket, pipe or device; it was left out.');
    expect(Object.keys(after)).toEqual(['a b"\\,:é\nc']);
  });

  test('a workspace whose own name has every kind of character', async () => {
    const root = join(tempFolder(), 'a, b:c\\d "e"');
    mkdirSync(root);
    writeFileSync(join(root, 'x'), 'x');
    expect((await inView(root, 'echo y > y; rm x')).after).toMatchObject({ y: expect.stringContaining('y') });
    expect(readdirSync(root)).toEqual(['y']);
  });
});
