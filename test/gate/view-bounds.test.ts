import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestGate } from '../support/gate.ts';
import { repository, sh } from '../support/repository.ts';
import { noPreviews, noViews, openViewGate, snapshot, viewTitle } from '../support/view.ts';

const isRoot = process.getuid?.() === 0;

/** Every name with all that a look at it tells, times of folders included; not when it was read. */
function exact(root: string): Record<string, string> {
  const names = ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].sort();
  return Object.fromEntries(
    names.map((name) => {
      const place = join(root, name);
      const stats = lstatSync(place, { bigint: true });
      const { ino, mode, nlink, uid, gid, size, mtimeNs, ctimeNs } = stats;
      const content = stats.isFile()
        ? readFileSync(place, 'latin1')
        : stats.isSymbolicLink()
          ? readlinkSync(place)
          : '';
      return [name, [ino, mode, nlink, uid, gid, size, mtimeNs, ctimeNs, content].join(' ')];
    }),
  );
}

/** A server that ends with the test; tells its port. */
async function listening(at: number | string): Promise<number> {
  const server = createServer((socket) => socket.end()).listen(at);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(noPreviews !== undefined)(viewTitle('a preview that is dropped', noPreviews), () => {
  const dropped = async (command: string) => {
    const root = repository({
      'a/b/c': '1\n',
      'src/x': '2\n',
      'src/y': '3\n',
      '.env': 'KEY=abcdefgh12345\n',
      z: '4\n',
    });
    sh(root, 'ln z hard; ln -s z soft; chmod 700 a; mkdir empty');
    const gate = await openTestGate({
      root,
      config: { bash: { preview: true }, plugins: ['-guard'] },
      answer: () => ({ type: 'no' }),
    });
    const before = exact(root);
    const result = await gate.call('bash', { command });
    expect(result).toMatchObject({ ok: false, code: 'denied' });
    expect(gate.asked).toHaveLength(1);
    expect(exact(root)).toEqual(before);
    return { request: gate.asked[0]!, root };
  };

  test.each([
    [
      'everything at once',
      'rm -rf a src z; mv hard h2; echo x > soft; mkdir a; echo y > a/b; chmod 777 empty; touch empty',
    ],
    ['git', 'git add -A; git commit -qm second; git branch other; git gc -q; git checkout -qf other'],
    ['through links', 'ln -s "$PWD" l; echo x > l/z; ln -s .. up; echo y > "up/$(basename "$PWD")/src/x"'],
    [
      'through processes',
      'for p in /proc/[0-9]*; do for f in root cwd; do echo x > "$p/$f$PWD/z"; rm -f "$p/cwd/z"; done; done 2>/dev/null; true',
    ],
    ['mounts', 'mount -t tmpfs t src; umount .; mount --bind / empty; nsenter -t 1 -m rm z; unshare -m umount .; true'],
  ])('%s: not a byte, time, link or name of the workspace is another', async (_, command) => {
    await dropped(command);
  });

  test('writes outside the workspace fail, also through a link that it made', async () => {
    const outside = join('/var', `benchdog-test-${process.pid}`);
    const { request } = await dropped(
      `echo x > ${outside}; ln -s /var out; echo x > out/benchdog-test-${process.pid}; true`,
    );
    expect(request.rehearsed!.output).toContain('Read-only file system');
    expect(() => lstatSync(outside)).toThrow('ENOENT');
  });

  test('services that listen outside are out of reach: a port, an abstract socket, one below /run', async () => {
    const port = await listening(0);
    const name = `\0benchdog-test-${process.pid}`;
    await listening(name);
    const tries = [port, `'${name.replace('\0', '\\0')}'`, "'/run/dbus/system_bus_socket'"];
    const script = tries
      .map(
        (to) =>
          `require('net').connect(${to}).on('error', (e) => console.log(e.code)).on('connect', () => console.log('reached'))`,
      )
      .join(';');
    const { request } = await dropped(`node -e "${script}"`);
    expect(request.rehearsed!.output).not.toContain('reached');
    expect(request.rehearsed!.output.match(/E[A-Z]+/g)).toHaveLength(3);
  });
});

describe.skipIf(noViews !== undefined)(viewTitle('what a command may not change in a view', noViews), () => {
  const refusedBy = async (files: Record<string, string>, config: object) => {
    const gate = await openViewGate({ files, config: { plugins: [], ...config }, flags: { yolo: true } });
    const before = snapshot(gate.root);
    const result = await gate.call('bash', { command: 'sh run.sh' });
    expect(result).toMatchObject({ ok: false, code: 'denied' });
    expect(snapshot(gate.root)).toEqual(before);
    return result.text;
  };

  test('the rules that the project has for benchdog', async () => {
    const script = 'mkdir -p .benchdog; echo "{}" > .benchdog/config.json; echo x > other';
    expect(await refusedBy({ 'run.sh': script }, {})).toContain('protect: benchdog');
  });

  test('hooks and settings of git, where a row says so', async () => {
    const permission = { write_file: { '.git/**': 'deny' } };
    const script = 'git init -q . ; echo evil > .git/hooks/pre-commit';
    expect(await refusedBy({ 'run.sh': script }, { permission, sandbox: { mode: 'off' } })).toContain(
      'write_file[".git/**"]',
    );
  });

  test('a secret, where a row says so: by a move too', async () => {
    const permission = { delete_file: { '.env': 'deny' } };
    expect(await refusedBy({ '.env': 'KEY=12345678\n', 'run.sh': 'mv .env seen' }, { permission })).toContain(
      'delete_file[".env"]',
    );
  });
});

describe.skipIf(noViews !== undefined)(viewTitle('commands in views'), () => {
  test('push into a bare repository of the workspace', async () => {
    const root = repository({ a: 'a\n' });
    const gate = await openViewGate({ root });
    await gate.call('bash', { command: 'git init -q --bare b.git && git push -q b.git main' });
    const result = await gate.call('bash', { command: 'git commit -q --allow-empty -m two && git push -q b.git main' });
    expect(result).toMatchObject({ ok: true });
    expect(sh(root, 'git -C b.git log --format=%s main')).toBe('two\nfirst\n');
  });

  test('a hard link that is made ties both names', async () => {
    const gate = await openViewGate({ files: { a: 'a\n' } });
    expect(await gate.call('bash', { command: 'ln a b' })).toMatchObject({ ok: true });
    expect(lstatSync(join(gate.root, 'a')).ino).toBe(lstatSync(join(gate.root, 'b')).ino);
  });

  test.runIf(isRoot)('another owner of a file is kept, of a folder is named', async () => {
    const gate = await openViewGate({ files: { a: 'a\n', 'd/b': 'b\n' } });
    const { text } = await gate.call('bash', { command: 'chown 1234:1235 a d' });
    const { uid, gid } = lstatSync(join(gate.root, 'a'));
    expect([uid, gid]).toEqual([1234, 1235]);
    expect(text).toContain('note: The new owner of the folder d was left out.');
  });

  test.runIf(isRoot)('without a sandbox too, the folders of other processes lead root nowhere', async () => {
    const gate = await openViewGate({
      files: { a: 'a\n' },
      config: { sandbox: { mode: 'off' }, bash: { failed: 'drop' } },
    });
    const command = `echo x > /proc/${process.pid}/root$PWD/a; echo y > /proc/${process.pid}/cwd/../../../../../$PWD/a; exit 1`;
    await gate.call('bash', { command });
    expect(gate.read('a')).toBe('a\n');
  });

  test('a folder with a setgid bit and another owner looks the same from within', async () => {
    const gate = await openViewGate({ files: { a: 'a\n' } });
    sh(gate.root, isRoot ? 'chown 1234:1235 . && chmod 2775 .' : 'chmod 2775 .');
    const seen = sh(gate.root, 'stat -c "%a %u %g" .');
    expect((await gate.call('bash', { command: 'stat -c "%a %u %g" .' })).text).toContain(seen.trim());
  });

  test('names of any bytes within a new folder, and a name of the longest kind', async () => {
    const gate = await openViewGate();
    const command = `mkdir n && cd n && printf x > "$(printf '\\377\\376')" && printf y > ${'l'.repeat(255)} && mkdir -p -- '-rf' '$(id)' '\`id\`'`;
    expect(await gate.call('bash', { command })).toMatchObject({ ok: true });
    expect(readdirSync(join(gate.root, 'n'), { encoding: 'buffer' })).toHaveLength(5);
  });

  test('a tree deeper than a path may be long: nothing is committed, said, and nothing stays', {
    timeout: 60_000,
  }, async () => {
    const gate = await openViewGate({ files: { a: 'a\n' } });
    const command = `echo x > a; for i in $(seq 60); do mkdir ${'d'.repeat(200)} && cd -P ${'d'.repeat(200)} || exit 9; done`;
    const result = await gate.call('bash', { command });
    expect(result).toMatchObject({ ok: false, code: 'failed' });
    expect([readdirSync(gate.root), gate.read('a')]).toEqual([['a'], 'a\n']);
    const views = join(gate.home, 'views', readdirSync(join(gate.home, 'views'))[0]!);
    const left = () => readdirSync(views).filter((name) => existsSync(join(views, name, 'up', 'd'.repeat(200))));
    while (left().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test('of two commands, one that deletes a folder and one that writes in it: the later one is stale', async () => {
    const gate = await openViewGate({ files: { 'd/a': 'a\n', 'd/b': 'b\n', go: '' } });
    const writes = gate.call('bash', { command: 'echo x >> d/a; sleep 3' });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const deletes = await gate.call('bash', { command: 'rm -r d' });
    expect(deletes).toMatchObject({ ok: true });
    const result = await writes;
    expect(result).toMatchObject({ ok: false, code: 'stale' });
    expect(result.text).toContain('d was taken away meanwhile. Nothing was changed.');
    expect(readdirSync(gate.root)).toEqual(['go']);
  });

  test('the undo tool takes a git commit back, and is asked about', async () => {
    const root = repository({ a: 'a\n' });
    const gate = await openTestGate({
      root,
      config: { bash: { view: true }, plugins: ['-guard'], permission: { bash: 'allow' } },
      answer: () => ({ type: 'once' }),
    });
    const head = sh(root, 'git rev-parse HEAD');
    await gate.call('bash', { command: 'echo two >> a; git commit -qam second' });
    expect(sh(root, 'git rev-parse HEAD')).not.toBe(head);
    expect(await gate.call('undo', {})).toMatchObject({ ok: true });
    expect(gate.asked.map(({ tool }) => tool)).toEqual(['undo']);
    expect([sh(root, 'git rev-parse HEAD'), gate.read('a'), sh(root, 'git status --short')]).toEqual([head, 'a\n', '']);
  });

  test('the undo of a commit that somebody built upon is refused', async () => {
    const root = repository({ a: 'a\n' });
    const gate = await openViewGate({ root });
    await gate.call('bash', { command: 'git commit -q --allow-empty -m second' });
    sh(root, 'git commit -q --allow-empty -m third');
    expect(await gate.call('undo', {})).toMatchObject({ ok: false, code: 'stale' });
    expect(sh(root, 'git log --format=%s')).toBe('third\nsecond\nfirst\n');
  });

  test('a view made ready is not used once the workspace is another folder', async () => {
    const gate = await openViewGate({ files: { a: 'a\n' } });
    await gate.call('bash', { command: 'true' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    execFileSync('sh', ['-c', 'mv "$1" "$1.old" && mkdir "$1" && echo new > "$1/a"', 'sh', gate.root]);
    expect((await gate.call('bash', { command: 'cat a; echo more >> a' })).text).toContain('new');
    expect(gate.read('a')).toBe('new\nmore\n');
    expect(readFileSync(join(`${gate.root}.old`, 'a'), 'utf8')).toBe('a\n');
  });

  test('a view made ready shows what was written since', async () => {
    const gate = await openViewGate({ files: { a: 'a\n' } });
    await gate.call('bash', { command: 'ls' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    mkdirSync(join(gate.root, 'd'));
    writeFileSync(join(gate.root, 'd/new'), 'new\n');
    linkSync(join(gate.root, 'd/new'), join(gate.root, 'b'));
    writeFileSync(join(gate.root, 'a'), 'changed\n');
    expect((await gate.call('bash', { command: 'cat a b d/new; ls' })).text).toContain('changed\nnew\nnew\na\nb\nd');
  });
});
