import { spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/folders.ts';
import { noViews } from '../support/view.ts';
import { builtChild } from './support/build-child.ts';

const child = builtChild('view-child');
const isRoot = process.getuid?.() === 0;
const skipped = noViews ?? (isRoot ? undefined : 'only root can become somebody else');

test.skipIf(skipped !== undefined)(
  `views of a user who is not root, with and without a sandbox${skipped === undefined ? '' : ` (skipped: ${skipped})`}`,
  () => {
    const [root, home] = [tempFolder(), tempFolder()];
    writeFileSync(join(root, 'a'), 'a\n');
    for (const path of [root, home, join(root, 'a')]) chownSync(path, 65534, 65534);
    const { status, stdout, stderr } = spawnSync(process.execPath, [child, root, home], { encoding: 'utf8', cwd: '/' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const done = { was: '65534\nheld\n', after: ['b'], undone: ['a'] };
    const result = JSON.parse(stdout) as Record<string, unknown>;
    // Some kernels keep user namespaces for root.
    for (const one of Object.values(result)) expect(typeof one === 'string' ? done : one).toEqual(done);
  },
);
