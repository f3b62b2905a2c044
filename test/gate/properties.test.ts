import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Decision, strictest } from '../../src/gate/verdict.ts';
import { runs } from '../support/runs.ts';
import { bench, type Permission } from './support.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-rules-')));
for (const name of ['a', '.env', 'notes.txt']) writeFileSync(join(root, name), '');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const order: Decision[] = ['allow', 'ask', 'deny'];
const weight = (decision: Decision) => order.indexOf(decision);
const decision = fc.constantFrom<Decision>('allow', 'ask', 'deny');
const word = fc.constantFrom(
  'git',
  'log',
  'touch',
  'cat',
  'ls',
  'a',
  '.env',
  'x y',
  '-n',
  '--',
  '-',
  '*',
  'notes.txt',
  "it's",
  '$',
  ';',
  '',
);
const program = fc.constantFrom('git', 'touch', 'cat', 'ls', 'echo', 'npm', 'rm', 'true');
const argv = fc.tuple(program, fc.array(word, { maxLength: 4 })).map(([name, rest]) => [name, ...rest]);
const pattern = fc.constantFrom(
  '*',
  'git *',
  'git log *',
  'touch *',
  'cat *',
  'ls',
  'ls *',
  'echo *',
  'npm *',
  'rm *',
  '*.env*',
  '* a',
  't*',
);
const table = fc.uniqueArray(fc.tuple(pattern, decision), { maxLength: 5, selector: ([key]) => key });
const permission = table.map((entries): Permission => ({ bash: Object.fromEntries(entries) }));

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string) => `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`;
const ansi = (text: string) =>
  `$'${[...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`;
const escaped = (text: string) => (text === '' ? "''" : [...text].map((char) => `\\${char}`).join(''));
const halves = (text: string) => single(text.slice(0, 1)) + double(text.slice(1));
const spelling = fc.constantFrom(single, double, ansi, escaped, halves);

const decide = (rules: Permission, line: string) => bench(rules, {}, { root }).decide(line);

test('quoting a command in any way gives the very same verdict', () => {
  const lines = fc.tuple(permission, argv, fc.array(spelling, { minLength: 5, maxLength: 5 }));
  fc.assert(
    fc.property(lines, ([rules, words, spell]) => {
      const plain = words.map(single).join(' ');
      const respelt = words.map((text, at) => spell[at]!(text)).join('  ');
      expect(decide(rules, respelt)).toBe(decide(rules, plain));
    }),
    runs(200),
  );
});

/** These take words, those take any command. */
const prefixes = [
  'env A=1',
  'timeout 5',
  'nice -n 3',
  'nohup',
  'command',
  'sudo',
  'xargs',
  'setsid',
  'exec',
  '/usr/bin/env',
];
const wrappers = [
  (line: string) => `( ${line} )`,
  (line: string) => `{ ${line}; }`,
  (line: string) => `! ${line}`,
  (line: string) => `if ${line}; then ${line}; fi`,
  (line: string) => `bash -c ${single(line)}`,
  (line: string) => `eval ${single(line)}`,
  (line: string) => `${line} 2>&1`,
  (line: string) => `${line} > /dev/null`,
  (line: string) => `echo "$( ${line} )"`,
  (line: string) => `trap ${single(line)} EXIT`,
];

test('wrapping a command never makes its verdict milder', () => {
  const heads = fc.array(fc.constantFrom(...prefixes), { maxLength: 3 });
  const wraps = fc.array(fc.constantFrom(...wrappers), { maxLength: 3 });
  fc.assert(
    fc.property(permission, argv, heads, wraps, fc.boolean(), (rules, words, before, around, assigns) => {
      const plain = words.map(single).join(' ');
      const simple = [...(assigns ? ['A=1'] : []), ...before, plain].join(' ');
      const wrapped = around.reduce((line, wrap) => wrap(line), simple);
      expect(weight(decide(rules, wrapped))).toBeGreaterThanOrEqual(weight(decide(rules, plain)));
    }),
    runs(200),
  );
});

test('adding a command to a line never makes it milder', () => {
  const joints = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n');
  fc.assert(
    fc.property(permission, argv, argv, joints, (rules, first, second, joint) => {
      const [a, b] = [first, second].map((words) => words.map(single).join(' '));
      const both = weight(decide(rules, `${a}${joint}${b}`));
      for (const one of [a!, b!]) expect(both).toBeGreaterThanOrEqual(weight(decide(rules, one)));
    }),
    runs(200),
  );
});

test('over a batch of files the strictest answer wins', () => {
  const paths = fc.uniqueArray(fc.constantFrom('a', 'b/c', '.env', 'docs/x', 'k.pem', 'docs/y.env.example'), {
    minLength: 1,
  });
  const filePattern = fc.constantFrom('*', 'docs/*', '*.env', 'a', 'b/**', '?');
  const rules = fc.uniqueArray(fc.tuple(filePattern, decision), { maxLength: 4, selector: ([key]) => key });
  fc.assert(
    fc.property(paths, rules, (batch, entries) => {
      const { policy, file } = bench({ read_file: Object.fromEntries(entries) }, {}, { root });
      const each = batch.map((path) => policy.judge(file('read_many_files', 'read', path)).decision);
      expect(policy.judge(file('read_many_files', 'read', ...batch)).decision).toBe(strictest(each));
    }),
    runs(100),
  );
});

test('any text is judged without an error, and one that fails to parse is never allowed', () => {
  const piece = fc.constantFrom(
    'git',
    ' ',
    "'",
    '"',
    '$(',
    ')',
    '`',
    '<<E',
    '\n',
    ';',
    '|',
    '&',
    '{',
    '}',
    '${',
    '\\',
    '>',
    '<',
    '((',
    '[[',
    'E',
    '$',
    '#',
    'if',
    'do',
    '=',
    '*',
    '~',
    '\u0000',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = pieces.join('');
      expect(order).toContain(decide({ bash: 'allow' }, line));
    }),
    runs(400),
  );
});
