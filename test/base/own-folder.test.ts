import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeOwnFolder } from '../../src/base/own-folder.ts';
import { tempFolder } from '../support/folders.ts';

describe('a folder of our own', () => {
  test('is made with those above it, for its owner alone; making it again does no harm', () => {
    const folder = join(tempFolder(), 'a/b/c');
    makeOwnFolder(folder);
    makeOwnFolder(folder);
    expect([folder, join(folder, '..')].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  test('where a file is in the way, the system says why not', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(() => makeOwnFolder(file)).toThrow(/EEXIST/);
    expect(() => makeOwnFolder(join(file, 'a/b'))).toThrow(/ENOTDIR/);
  });

  test.runIf(process.platform === 'linux')('where no folder can be made there is an end of trying', () => {
    expect(() => makeOwnFolder('/proc/nope/a/b')).toThrow(/ENOENT.*mkdir '\/proc\/nope'/);
  });
});
