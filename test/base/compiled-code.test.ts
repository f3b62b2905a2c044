import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/folders.ts';

const source = resolve(import.meta.dirname, '../../src/base/compiled-code.ts');

const program = {
  'code/main.cjs': `
    const { twice } = require('./part.cjs');
    const { lines } = require('./late.cjs');
    exports.run = async () => [twice(21), require('node:path').basename(__filename), await lines()];`,
  'code/late.cjs': "exports.lines = async () => (await import('node:os')).EOL.length;",
  'code/part.cjs': 'exports.twice = (number) => number * 2;',
  'elsewhere.cjs': 'module.exports = 7;',
  'start.mts': `
    import { createRequire } from 'node:module';
    import { keepCompiled } from ${JSON.stringify(source)};
    keepCompiled(process.argv[2] + '/code', process.argv[2] + '/kept');
    const require = createRequire(process.argv[2] + '/');
    console.log(JSON.stringify([...(await require('./code/main.cjs').run()), require('./elsewhere.cjs')]));`,
};

function start(place: string): unknown {
  const args = ['--import', 'tsx', join(place, 'start.mts'), place];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', cwd: resolve(import.meta.dirname, '../..') }),
  );
}

const answer = [42, 'main.cjs', 1, 7];

test('what was compiled is kept, owner-only, and used', () => {
  const place = tempFolder(program);
  expect(start(place)).toEqual(answer);
  const kept = readdirSync(join(place, 'kept'));
  expect(kept).toHaveLength(2);
  expect(statSync(join(place, 'kept')).mode & 0o777).toBe(0o700);
  expect(kept.map((name) => statSync(join(place, 'kept', name)).mode & 0o777)).toEqual([0o600, 0o600]);
  const times = kept.map((name) => statSync(join(place, 'kept', name)).mtimeMs);
  expect(start(place)).toEqual(answer);
  expect(kept.map((name) => statSync(join(place, 'kept', name)).mtimeMs)).toEqual(times);
});

test.each([
  ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['empty', () => Buffer.alloc(0)],
  ['changed in one byte', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])])],
])('kept code that is %s is compiled anew', (_, damage) => {
  const place = tempFolder(program);
  start(place);
  const whole = readdirSync(join(place, 'kept')).map((name) => join(place, 'kept', name));
  for (const path of whole) writeFileSync(path, damage(readFileSync(path)));
  const damaged = whole.map((path) => readFileSync(path));
  expect(start(place)).toEqual(answer);
  expect(whole.map((path, at) => readFileSync(path).equals(damaged[at]!))).toEqual([false, false]);
});

test('a file of another text is never run from what was kept of the old one', () => {
  const place = tempFolder(program);
  start(place);
  writeFileSync(join(place, 'code/part.cjs'), 'exports.twice = (number) => number * 3;');
  expect(start(place)).toEqual([63, ...answer.slice(1)]);
});

test('a folder that cannot be written to costs nothing but time', () => {
  const place = tempFolder({ ...program, kept: 'a file where the folder would be' });
  expect(start(place)).toEqual(answer);
});
