import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { run } from '../../src/process/run.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/process/sandbox.ts';
import { profile } from '../../src/process/seatbelt.ts';
import { rousseauBash, shiroBash } from '../../src/tools/bash.ts';
import { tempFolder } from '../support/folders.ts';
import { processesWith, until } from '../support/processes.ts';
import { repository, sh } from '../support/repository.ts';
import { callTool } from '../support/tool-call.ts';

const works = (() => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();

async function atHome<T>(home: string, task: () => Promise<T>): Promise<T> {
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    return await task();
  } finally {
    process.env.HOME = before;
  }
}

async function sandboxed(command: string, options: Partial<SandboxOptions> & { root: string }, timeoutMs?: number) {
  const sandbox = await openSandbox({ mode: 'require', ...options });
  const result = await run({
    ...sandbox.wrap({ file: '/bin/bash', args: ['-c', command] }, options.root),
    cwd: options.root,
    env: childEnvironment(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  return { ...result, text: result.stdout.head + result.stderr.head };
}

describe.skipIf(!works)('bubblewrap', () => {
  test('the workspace is writable, the rest is not', async () => {
    const root = tempFolder();
    const other = tempFolder();
    const { text } = await sandboxed(`echo in > in; touch /etc/pwned /usr/pwned '${other}/pwned'; echo $?`, { root });
    expect(text).toMatch(/^1\n/);
    expect(readFileSync(join(root, 'in'), 'utf8')).toBe('in\n');
    expect(existsSync('/etc/pwned') || existsSync(join(other, 'pwned'))).toBe(false);
  });

  test('also root cannot mount its way out', async () => {
    const root = tempFolder();
    const attack = 'mount -o remount,rw,bind /; unshare -Urm mount -o remount,rw,bind /; touch /pwned; echo $?';
    expect((await sandboxed(attack, { root })).text).toMatch(/^1\n/);
    expect(existsSync('/pwned')).toBe(false);
  });

  test('a temp of its own, kept between commands when a folder is given', async () => {
    const [root, temp] = [tempFolder(), join(tempFolder(), 'temp')];
    await sandboxed('echo kept > /tmp/note', { root, temp });
    expect((await sandboxed('cat /tmp/note /var/tmp/note', { root, temp })).text).toBe('kept\nkept\n');
    expect((await sandboxed('ls /tmp/note', { root })).text).toContain('No such file');
    expect(existsSync('/tmp/note')).toBe(false);
  });

  test('commits can be made, config and hooks stay', async () => {
    const root = repository({ a: '1\n' }, 'git config user.name D; git config user.email d@example.test');
    const { text } = await sandboxed(
      'echo 2 > a; git commit -qam two; git log --oneline | wc -l; git config core.fsmonitor x; echo x > .git/hooks/pre-commit; mv .git g',
      { root },
    );
    expect(text).toMatch(/^2\n/);
    expect(readFileSync(join(root, '.git/config'), 'utf8')).not.toContain('fsmonitor');
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(root, 'g'))).toBe(false);
  });

  test('a work tree can commit to its repository elsewhere', async () => {
    const main = repository(
      { a: '1\n' },
      'git config user.name D; git config user.email d@example.test; git worktree add -q tree',
    );
    const root = join(main, 'tree');
    const { text } = await sandboxed(
      'echo 2 > a; git commit -qam two; git log --oneline | wc -l; git config core.fsmonitor x; echo "gitdir: /x" > .git',
      { root },
    );
    expect(text).toMatch(/^2\n/);
    expect(readFileSync(join(main, '.git/config'), 'utf8')).not.toContain('fsmonitor');
    expect(readFileSync(join(root, '.git'), 'utf8')).toContain(main);
  });

  test('git cannot be led to other settings by files that were not there', async () => {
    const root = repository(
      { a: '1\n' },
      'rm -rf .git/hooks; mkdir -p .git/modules/m; cp .git/HEAD .git/config .git/modules/m',
    );
    const { notes } = await sandboxed(
      'echo ../evil > .git/commondir; echo x > .git/config.worktree; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo x >> .git/modules/m/config',
      { root },
    );
    const [commondir, worktree, hooks, module] = ['commondir', 'config.worktree', 'hooks', 'modules/m/config'].map(
      (name) => join(root, '.git', name),
    );
    const put = 'put back as it was, since git takes programs and settings from it: ';
    expect(notes).toEqual([`${put}${commondir}`, `${put}${worktree}`, `${put}${hooks}`]);
    expect([commondir, worktree, hooks].filter((path) => existsSync(path!))).toEqual([]);
    expect(readFileSync(module!, 'utf8')).toBe(readFileSync(join(root, '.git/config'), 'utf8'));
  });

  test('what is put back is not written through a link that took its place', async () => {
    const root = repository({ a: '1\n' }, 'git worktree add -q tree; mkdir other');
    const tree = join(root, '.git/worktrees/tree');
    await sandboxed('mv .git/worktrees/tree .git/worktrees/old; ln -s "$PWD/other" .git/worktrees/tree', { root });
    expect(readdirSync(join(root, 'other'))).toEqual([]);
    expect(lstatSync(tree).isSymbolicLink()).toBe(true);
  });

  test('another work tree keeps its way to the repository', async () => {
    const root = repository({ a: '1\n' }, 'git worktree add -q tree');
    const { notes } = await sandboxed('echo /evil > .git/worktrees/tree/commondir', { root });
    expect(readFileSync(join(root, '.git/worktrees/tree/commondir'), 'utf8')).toBe('../..\n');
    expect(notes).toHaveLength(1);
  });

  test('a cache that is a link is written where it leads; one that a command could make leads nowhere', async () => {
    const [home, cache, root] = [tempFolder(), tempFolder(), tempFolder()];
    symlinkSync(cache, join(home, '.cache'));
    await atHome(home, () => sandboxed('echo x > ~/.cache/x', { root }));
    expect(existsSync(join(cache, 'x'))).toBe(true);
    const { text } = await atHome(home, () => sandboxed('echo x > ~/.cache/y; echo ran', { root: home }));
    expect(text).toContain('ran');
    expect(existsSync(join(cache, 'y'))).toBe(false);
  });

  test('a cache that leads to everything does not make it writable', async () => {
    const [home, root] = [tempFolder(), tempFolder()];
    symlinkSync('/', join(home, '.npm'));
    expect((await atHome(home, () => sandboxed('touch /etc/pwned; echo ran', { root }))).text).toContain('ran');
    expect(existsSync('/etc/pwned')).toBe(false);
  });

  test('services that would do for a command what it may not are out of reach, unless they are named', async () => {
    const [home, root] = [tempFolder(), tempFolder()];
    mkdirSync(join(home, '.docker/run'), { recursive: true });
    const socket = join(home, '.docker/run/docker.sock');
    const server = createServer((one) => one.end('hello\n'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const ask = `node -e 'require("net").connect("${socket}").on("data",d=>process.stdout.write(d)).on("error",e=>console.log(e.code))'`;
    expect((await atHome(home, () => sandboxed(ask, { root }))).text).toBe('ENOENT\n');
    expect((await atHome(home, () => sandboxed(ask, { root, write: [socket] }))).text).toBe('hello\n');
    server.close();
  });

  test('a sandbox that cannot be made is no exit code of the command', async () => {
    const root = tempFolder();
    const sandbox = await openSandbox({ mode: 'require', root });
    const broken: Sandbox = {
      ...sandbox,
      wrap: (invocation, cwd) => {
        const { file, args } = sandbox.wrap(invocation, cwd);
        return { file, args: ['--bind', '/no/such', '/no/such', ...args] };
      },
    };
    expect(await callTool(shiroBash({ sandbox: async () => broken }), { command: 'true' }, { root })).toMatchObject({
      code: 'failed',
      text: expect.stringMatching(/^The sandbox could not be set up, so nothing was run \(bwrap: .*no\/such/),
    });
  });

  test('hidden files and folders cannot be read', async () => {
    const root = tempFolder({ '.env': 'A=zzz-secret\n', 'keys/k': 'zzz-secret\n' });
    const hide = () => [join(root, '.env'), join(root, 'keys'), join(root, 'not-there')];
    const { text } = await sandboxed('cat .env; cat keys/k; rm -f .env; ls', { root, hide });
    expect(text).not.toContain('zzz-secret');
    expect(existsSync(join(root, 'not-there'))).toBe(false);
    expect(readFileSync(join(root, '.env'), 'utf8')).toContain('zzz-secret');
  });

  test('further folders are writable when named', async () => {
    const [root, more] = [tempFolder(), tempFolder()];
    await sandboxed(`echo x > '${more}/x'`, { root, write: [more, '/no/such/folder'] });
    expect(existsSync(join(more, 'x'))).toBe(true);
  });

  test('network as configured', async () => {
    const root = tempFolder();
    const server = createServer((socket) => socket.end('hello\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = (server.address() as { port: number }).port;
    const command = `cat < /dev/tcp/127.0.0.1/${port}`;
    expect((await sandboxed(command, { root })).text).toBe('hello\n');
    expect((await sandboxed(command, { root, network: false })).text).not.toContain('hello');
    server.close();
  });

  test('everything ends with it, whatever it does to get away', async () => {
    const tag = `sandbox-test-${process.pid}`;
    await sandboxed(`(env -i setsid sh -c 'trap "" TERM HUP; sleep 300 # ${tag}' > /dev/null 2>&1 &) ; sleep 0.2`, {
      root: tempFolder(),
    });
    await until(() => processesWith(tag).length === 0);
    const { ending } = await sandboxed(
      `(env -i setsid sh -c 'sleep 300 # ${tag}' &); sleep 300`,
      { root: tempFolder() },
      500,
    );
    expect(ending.type).toBe('timeout');
    await until(() => processesWith(tag).length === 0);
  });

  test('a signal is still told', async () => {
    expect((await sandboxed('kill -KILL $$', { root: tempFolder() })).ending).toEqual({
      type: 'signal',
      signal: 'SIGKILL',
    });
  });

  test('the result says so, in one word', async () => {
    const root = tempFolder();
    const env = () => childEnvironment({ ...process.env, HOME: root });
    const sandbox = () => openSandbox({ mode: 'auto', root });
    expect((await callTool(shiroBash({ env, sandbox }), { command: 'pwd' }, { root })).text).toBe(
      `exit code: 0 (sandboxed)\nstdout:\n${root}`,
    );
    expect((await callTool(rousseauBash({ env, sandbox }), { command: 'pwd' }, { root })).text).toBe(`${root}\n`);
  });
});

describe('without one', () => {
  const path = process.env.PATH;
  const without = async <T>(task: () => Promise<T>): Promise<T> => {
    process.env.PATH = tempFolder();
    try {
      return await task();
    } finally {
      process.env.PATH = path;
    }
  };

  test('auto goes on and says so, require fails closed, off asks for none', async () => {
    const root = tempFolder();
    const auto = await without(() => openSandbox({ mode: 'auto', root }));
    expect(auto).toMatchObject({ name: 'none', reason: 'bubblewrap is not installed' });
    await expect(without(() => openSandbox({ mode: 'require', root }))).rejects.toMatchObject({
      code: 'failed',
      message: 'A sandbox is required and there is none: bubblewrap is not installed. Nothing was run.',
    });
    expect(await openSandbox({ mode: 'off', root })).toMatchObject({ name: 'none', reason: 'switched off' });
    const env = () => childEnvironment({ ...process.env, HOME: root });
    const { text } = await callTool(shiroBash({ env, sandbox: async () => auto }), { command: 'true' }, { root });
    expect(text).toBe('exit code: 0 (not sandboxed)\n(no output)');
  });

  test('a bubblewrap that does not work here is none', async () => {
    const folder = tempFolder({ bwrap: '#!/bin/sh\necho "No permissions to create new namespace" >&2; exit 1\n' });
    sh(folder, 'chmod +x bwrap');
    process.env.PATH = folder;
    try {
      const found = await openSandbox({ mode: 'auto', root: folder });
      expect(found.reason).toBe('bubblewrap does not work here (No permissions to create new namespace)');
    } finally {
      process.env.PATH = path;
    }
  });
});

test('the seatbelt profile quotes what it names', () => {
  mkdirSync(join(tempFolder(), 'x'));
  const text = profile({ mode: 'auto', root: '/w/a "b"', network: false, hide: () => ['/w/.env'] });
  expect(text).toContain('(allow file-write* (subpath "/w/a \\"b\\""))');
  expect(text).toContain('(deny file-read* file-write* (subpath "/w/.env"))');
  expect(text).toContain('(deny network*)');
});
