import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/folders.ts';
import { noViews, viewTitle } from '../support/view.ts';

/** Mounts are made in a namespace that goes with the child; only root may make them. */
const skipped = noViews ?? (process.getuid?.() === 0 ? undefined : 'only root can mount');
const child = join(import.meta.dirname, '../support/call-child.ts');

/** Runs a command, with `"view": true`, in a process of its own after shell text that changes what is mounted; `$ws`, `$home`. */
function called(setup: string, how: { readonly command?: string; readonly around?: readonly string[] } = {}) {
  const { command = 'echo more >> a; echo new > b', around = ['unshare', '--mount'] } = how;
  const folder = tempFolder({
    'args.json': JSON.stringify({ command }),
    'ws/a': 'a\n',
    'home/config.json': JSON.stringify({ bash: { view: true }, plugins: ['-guard'] }),
  });
  mkdirSync(join(folder, 'mnt'));
  const call = `exec "$node" --import tsx "${child}" "$ws" "$home" native bash "$folder/args.json"`;
  const script = `cd "$folder"; { ${setup}; } >&2 || exit 9; cd "$project"; ${call}`;
  const env = {
    ...process.env,
    folder,
    ws: join(folder, 'ws'),
    home: join(folder, 'home'),
    node: process.execPath,
    project: join(import.meta.dirname, '../..'),
  };
  const [file = '', ...args] = [...around, '--', 'sh', '-c', script];
  const { stdout, stderr } = spawnSync(file, args, { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { result: { ok: boolean; text: string; changes: { path: string }[] } }).result;
}

const itself = 'note: ran on the workspace itself: ';

describe.skipIf(skipped !== undefined)(viewTitle('where a workspace lies', skipped), { timeout: 60_000 }, () => {
  test.each([
    ['a file from elsewhere', ': > ws/m && mount --bind args.json ws/m', 'm'],
    ['a file system in memory', 'mkdir "ws/m n" && mount -t tmpfs none "ws/m n"', 'm n'],
  ])('%s is mounted inside: no view, named, and noticed all the same', (_, setup, name) => {
    const { ok, text, changes } = called(setup);
    expect(ok).toBe(true);
    expect(text).toMatch(
      new RegExp(`${itself}another file system is mounted inside the workspace, at /.*/ws/${name}\\.$`, 'm'),
    );
    expect(changes.map(({ path }) => path)).toEqual(['a', 'b']);
  });

  test('a mount that lies over the workspace itself', () => {
    const { text, changes } = called('mount -t tmpfs none ws && echo a > ws/a');
    expect(text).toContain(`${itself}no folder of ours lies on the file system of the workspace.`);
    expect(changes.map(({ path }) => path)).toEqual(['a', 'b']);
  });

  test('an overlay: named', () => {
    const setup =
      'mkdir up work && mount -t overlay none -o lowerdir=ws,upperdir=up,workdir=work mnt && mkdir mnt/ws && echo a > mnt/ws/a && ws="$folder/mnt/ws"';
    expect(called(setup).text).toContain(`${itself}the kernel allows no overlay here`);
  });

  test('a file system in memory', () => {
    const { text, changes } = called(
      'mount -t tmpfs none mnt && mkdir mnt/ws && echo a > mnt/ws/a && ws="$folder/mnt/ws"',
    );
    // Overlays lie on it since Linux 6.6.
    if (!text.includes(itself))
      expect(text).toContain('changed (undo takes it back):\n  modify a +1 -0\n  create b +1 -0');
    expect(changes.map(({ path }) => path)).toEqual(['a', 'b']);
  });

  test('namespaces are not allowed: said, and noticed all the same', () => {
    const around = ['unshare', '--user', '--map-root-user', '--mount'];
    const off = 'echo 0 > /proc/sys/user/max_user_namespaces && echo 0 > /proc/sys/user/max_mnt_namespaces';
    const { text, changes } = called(off, { around });
    expect(text).toContain(
      `${itself}the kernel allows no overlay here (unshare: unshare failed: No space left on device).`,
    );
    expect(changes.map(({ path }) => path)).toEqual(['a', 'b']);
  });
});
