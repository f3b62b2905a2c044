import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { answers } from '../../src/process/answers.ts';
import { globTool } from '../../src/tools/glob.ts';
import { nativeGrep } from '../../src/tools/grep-native.ts';
import { listDir } from '../../src/tools/list.ts';
import { distantMounts, silentMounts } from '../../src/workspace/distant-mounts.ts';
import { openRoot } from '../../src/workspace/path.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

/** A line of the mount table, proc(5). */
const line = (place: string, type: string) => `36 35 98:0 / ${place} rw,noatime master:1 - ${type} source rw`;

test('distant mounts are those of other machines and programs, below the root alone', () => {
  const root = openRoot(tempFolder());
  const at = (rel: string) => `${root.real}/${rel}`;
  const table = [
    ...['nfs', 'nfs4', 'cifs', '9p', 'autofs', 'ceph', 'fuse', 'fuse.sshfs', 'fuseblk'].map((type) =>
      line(at(type), type),
    ),
    ...['ext4', 'tmpfs', 'overlay', 'fusectl', 'proc', 'btrfs'].map((type) => line(at(type), type)),
    line(root.real, 'nfs4'),
    line(`${root.real}beside`, 'nfs4'),
    line('/', 'nfs4'),
    line(at('covered'), 'nfs4'),
    line(at('covered'), 'tmpfs'),
    line(at('auto/home'), 'autofs'),
    line(at('auto/home'), 'nfs4'),
    line(at('a\\040b'), 'nfs4'),
    'not a line',
  ];
  const found = distantMounts(root, table.join('\n')).map(({ rel, type }) => `${rel}: ${type}`);
  expect(found.sort()).toEqual([
    ...['9p: 9p', 'a b: nfs4', 'auto/home: nfs4', 'autofs: autofs', 'ceph: ceph', 'cifs: cifs'],
    ...['fuse.sshfs: fuse.sshfs', 'fuse: fuse', 'fuseblk: fuseblk', 'nfs4: nfs4', 'nfs: nfs'],
  ]);
});

test('a folder answers, and so does one that is not there', async () => {
  expect(await answers(tempFolder(), 20_000)).toBe(true);
  expect(await answers('/there/is/none', 20_000)).toBe(true);
  expect(await silentMounts(openRoot(tempFolder()))).toEqual([]);
});

/**
 * A workspace with a FUSE mount that nobody serves: whoever looks into it waits until the child ends. The test is skipped
 * where none can be made.
 */
function withSilentMount({ skip }: TestContext): string {
  const root = tempFolder({ 'a.txt': 'needle\n', 'mnt/b.txt': 'needle\n', 'k.env': 'secret' });
  const remote = join(root, 'mnt/remote');
  mkdirSync(remote);
  let holder: ChildProcess | undefined;
  try {
    const fd = openSync('/dev/fuse', 'r+');
    const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
    const mount = ['-i', '-t', 'fuse', '-o', options, 'nobody', remote];
    const made = spawnSync('mount', mount, { stdio: ['ignore', 'ignore', 'ignore', fd] });
    // Should something wait for it after all, it won't for ever.
    if (made.status === 0) holder = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
    closeSync(fd);
  } catch {
    // There is no FUSE here, or it is not for us.
  }
  if (holder === undefined) skip();
  onTestFinished(() => {
    holder?.kill();
    spawnSync('umount', ['-l', remote]);
  });
  return root;
}

describe.runIf(process.platform === 'linux')('a mount where nothing answers', () => {
  const note = '[1 mount left out, because nothing answers there: mnt/remote]';
  const visible = ({ rel }: { rel: string }) => !rel.endsWith('.env');

  test.for(engines)('does not hold a search up (%s)', async ([, engine], context) => {
    const root = withSilentMount(context);
    expect(await silentMounts(openRoot(root))).toEqual(['mnt/remote']);
    const grep = nativeGrep({ engine: () => engine, ignoreFiles: [] });
    const search = async (args: object) =>
      (await callTool(grep, { pattern: 'needle', ...args }, { root, visible })).text;
    expect(await search({})).toBe(`a.txt:1: needle\nmnt/b.txt:1: needle\n${note}`);
    expect(await search({ include: '*.txt', paths: ['mnt'] })).toBe(`mnt/b.txt:1: needle\n${note}`);
    expect(await search({ paths: ['a.txt'] })).toBe('a.txt:1: needle');
  });

  test('does not hold a listing up', async (context) => {
    const root = withSilentMount(context);
    const glob = globTool({ ignoreFiles: [] });
    expect((await callTool(glob, { pattern: '**/*.txt' }, { root, visible })).text).toBe(`a.txt\nmnt/b.txt\n${note}`);
    const list = (args: object) => callTool(listDir({ ignoreFiles: [] }), args, { root, visible });
    expect((await list({ depth: 6 })).text).toBe(`.\na.txt  7B\nmnt/\n  b.txt  7B\n  remote/\n${note}`);
    expect((await list({ path: 'mnt', depth: 1 })).text).toBe('mnt/\nb.txt  7B\nremote/');
  });
});
