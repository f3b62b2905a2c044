import { expect, test } from 'vitest';
import { lintRows } from '../../src/gate/lint.ts';
import { type Permission, rows } from './support.ts';

const kinds = (permission: Permission, tools?: string[]) =>
  lintRows(rows(permission), tools).map(({ kind, row }) => [kind, row.tool, row.pattern]);

test('a row that a later one covers is dead', () => {
  expect(lintRows(rows({ write_file: { 'src/*': 'allow', 'src/**': 'deny' } }))[0]!.message).toBe(
    'permission.write_file["src/*"] never decides: permission.write_file["src/**"] comes later and matches all it matches.',
  );
  expect(kinds({ write_file: { 'a.ts': 'deny', '*': 'ask' } })).toEqual([['dead', 'write_file', 'a.ts']]);
  expect(kinds({ write_file: { '*': 'ask', 'a.ts': 'deny' } })).toEqual([]);
  expect(kinds({ write_file: { '*.ts': 'ask', 'src/*': 'deny' } })).toEqual([]);
  expect(kinds({ write_file: { 'a?': 'ask', ab: 'deny' } })).toEqual([]);
  expect(kinds({ write_file: 'ask', '*': 'ask' })).toEqual([['dead', 'write_file', '*']]);
});

test('a row that says what an earlier one says is repeated', () => {
  expect(kinds({ write_file: { '*': 'ask', 'src/*': 'ask' } })).toEqual([['repeated', 'write_file', 'src/*']]);
  expect(kinds({ write_file: { '*': 'ask', 'src/*': 'deny', 'src/a': 'ask' } })).toEqual([]);
});

test.each(['*', 'python3 *', 'bash *', 'sudo *', 'npx *', 'node*', 'xargs *', 'gi*'])(
  'allowing %s is wide',
  (pattern) => {
    expect(kinds({ bash: { [pattern]: 'allow' } })).toEqual([['wide', 'bash', pattern]]);
    expect(kinds({ bash: { [pattern]: 'ask' } })).toEqual([]);
  },
);

test.each(['git *', 'npm test*', 'npm run build *', 'ls', 'python3 -m pytest *', 'bun test*'])(
  'allowing %s is not',
  (pattern) => {
    expect(kinds({ bash: { [pattern]: 'allow' } })).toEqual([]);
  },
);

test('a row that can’t do what it seems to', () => {
  expect(kinds({ bash: { 'cd * && npm test': 'allow' } })).toEqual([['useless', 'bash', 'cd * && npm test']]);
  expect(kinds({ read_file: { 'config/prod.env': 'allow' } })).toEqual([['useless', 'read_file', 'config/prod.env']]);
  expect(kinds({ read_file: { '*.env': 'allow' } })).toEqual([]);
});

test('a tool that is not there', () => {
  expect(kinds({ wirte_file: 'ask', mcp__x: 'ask', 'edit*': 'ask' }, ['write_file', 'edit_file'])).toEqual([
    ['unknown', 'wirte_file', '*'],
  ]);
});
