import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeSecrets } from '../../src/process/home-secrets.ts';
import { tempFolder } from '../support/folders.ts';

test('private keys and credentials by their usual names, not public keys and settings', () => {
  const names = [
    '.ssh/id_rsa',
    '.ssh/id_rsa.pub',
    '.ssh/config',
    '.ssh/known_hosts',
    '.ssh/x.pem',
    '.netrc',
    '.aws/credentials',
  ];
  const home = tempFolder(Object.fromEntries(names.map((name) => [name, 'x'])));
  const expected = ['.ssh/id_rsa', '.ssh/x.pem', '.aws/credentials', '.netrc'];
  expect([...homeSecrets(home)].sort()).toEqual(expected.map((name) => join(home, name)).sort());
  expect(homeSecrets(tempFolder())).toEqual([]);
});
