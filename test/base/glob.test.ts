import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandBraces } from '../../src/base/braces.ts';
import { compileGlob } from '../../src/base/glob.ts';
import { matchWildcard } from '../../src/base/wildcard.ts';
import { runs } from '../support/runs.ts';

const paths = [
  'README.md',
  '.env',
  'src/app.ts',
  'src/.hidden.ts',
  'src/ui/a.ts',
  'src/ui/deep/b.tsx',
  'src/app/[id]/page.tsx',
  'src/app/i/page.tsx',
  'src/app/(shop)/[...slug]/page.tsx',
  '.github/workflows/ci.yml',
  '.github/workflows/rel.yaml',
  'node/x.js',
];
const matching = (pattern: string, anyDepth = false) => {
  const glob = compileGlob(pattern, { anyDepth });
  return paths.filter((path) => glob.matches(path));
};

test.each([
  ['*.md', ['README.md']],
  ['src/*.ts', ['src/app.ts', 'src/.hidden.ts']],
  ['src/**/*.ts', ['src/app.ts', 'src/.hidden.ts', 'src/ui/a.ts']],
  ['**/*.ts', ['src/app.ts', 'src/.hidden.ts', 'src/ui/a.ts']],
  ['./src/*.ts', ['src/app.ts', 'src/.hidden.ts']],
  ['**/page.tsx', ['src/app/[id]/page.tsx', 'src/app/i/page.tsx', 'src/app/(shop)/[...slug]/page.tsx']],
  ['src/app/[id]/*.tsx', ['src/app/[id]/page.tsx', 'src/app/i/page.tsx']],
  ['src/app/[[]id]/*.tsx', ['src/app/[id]/page.tsx']],
  ['src/app/\\[id\\]/*.tsx', ['src/app/[id]/page.tsx']],
  ['src/app/(shop)/[...slug]/*', ['src/app/(shop)/[...slug]/page.tsx']],
  ['.github/workflows/*.{yml,yaml}', ['.github/workflows/ci.yml', '.github/workflows/rel.yaml']],
  ['{src/ui,node}/**', ['src/ui/a.ts', 'src/ui/deep/b.tsx', 'node/x.js']],
  ['src/ui/', ['src/ui/a.ts', 'src/ui/deep/b.tsx']],
  ['src/u?/?.ts', ['src/ui/a.ts']],
  ['**', paths],
  ['**/*', paths],
  ['*', ['README.md', '.env']],
  ['src/**.ts', ['src/app.ts', 'src/.hidden.ts']],
  ['[!s]*/*.js', ['node/x.js']],
  ['!**/*.{ts,tsx,md}', ['.env', '.github/workflows/ci.yml', '.github/workflows/rel.yaml', 'node/x.js']],
  ['src/[', []],
])('%s', (pattern, expected) => {
  expect(matching(pattern)).toEqual(expected);
});

test('with anyDepth a pattern without a slash is a name at any depth', () => {
  expect(matching('*.ts', true)).toEqual(['src/app.ts', 'src/.hidden.ts', 'src/ui/a.ts']);
  expect(matching('src/*.ts', true)).toEqual(['src/app.ts', 'src/.hidden.ts']);
});

test('a glob knows where its matches lie and how they end', () => {
  expect(compileGlob('src/app/*.ts')).toMatchObject({ base: 'src/app', endings: ['.ts'] });
  expect(compileGlob('src/{a,b}/x*.{ts,js}')).toMatchObject({ base: 'src', endings: ['.ts', '.js'] });
  expect(compileGlob('**/a[0-9]')).toMatchObject({ base: '.', endings: [''] });
  expect(compileGlob('src/a.ts')).toMatchObject({ base: 'src', endings: ['a.ts'] });
});

test.each([
  ['x{a,b{c,d}}', ['xa', 'xbc', 'xbd']],
  ['{a}', ['{a}']],
  ['a{b', ['a{b']],
  ['\\{a,b}', ['\\{a,b}']],
  ['{a,}b', ['ab', 'b']],
  ['{x}{a,b}', ['{x}a', '{x}b']],
])('braces: %s', (pattern, expected) => {
  expect(expandBraces(pattern)).toEqual(expected);
});

test('too many alternatives and too long a glob are refused', () => {
  expect(() => compileGlob('{a,b}'.repeat(11))).toThrow(
    "The glob's braces stand for more than 1000 alternatives. Use fewer braces or several calls.",
  );
  expect(() => compileGlob('a'.repeat(5000))).toThrow('The glob is 5000 characters long, at most 4096 are read.');
});

test.each([
  ['git *', 'git status', true],
  ['git *', 'git', false],
  ['git*', 'git', true],
  ['*', 'a\nb/c', true],
  ['a?c', 'a\nc', true],
  ['a?c', 'a😀c', true],
  ['a?c', 'ac', false],
  ['*.env', 'x/y/.env', true],
  ['*.env.*', 'x/.env.example', true],
  ['[a]', 'a', false],
  ['[a]', '[a]', true],
  ['a*b*c', 'aXbYbZc', true],
  ['', '', true],
  ['', 'a', false],
  ['**', '', true],
])('wildcard %s on %j is %s', (pattern, text, expected) => {
  expect(matchWildcard(pattern, text)).toBe(expected);
});

const oracle = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\/]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
    'su',
  );

test('wildcards agree with a regular expression on random short texts', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\n', '/'), maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      expect(matchWildcard(pattern, text)).toBe(oracle(pattern).test(text));
    }),
    runs(3000),
  );
});

const globOracle = (pattern: string) => {
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    const opens = at === 0 || pattern[at - 1] === '/';
    if (opens && pattern.startsWith('**/', at)) {
      source += '(?:.*/)?';
      at += 3;
    } else if (opens && pattern.slice(at) === '**') {
      source += '.*';
      at += 2;
    } else if (pattern[at] === '*') {
      source += '[^/]*';
      while (pattern[at] === '*') at += 1;
    } else {
      source += pattern[at] === '?' ? '[^/]' : pattern[at] === '.' ? '\\.' : pattern[at];
      at += 1;
    }
  }
  return new RegExp(`^${source}$`, 's');
};

test('globs agree with a regular expression on random paths', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 });
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const wild = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), minLength: 1, maxLength: 3 });
  const pattern = fc
    .array(fc.oneof(wild, fc.constant('**')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'))
    .filter((one) => !one.startsWith('./'));
  fc.assert(
    fc.property(pattern, path, (glob, text) => {
      expect(compileGlob(glob).matches(text)).toBe(globOracle(glob).test(text));
    }),
    runs(5000),
  );
});

test('hostile patterns stay linear', () => {
  const text = `${'a'.repeat(3000)}b`;
  expect(matchWildcard(`${'a*'.repeat(500)}c`, text)).toBe(false);
  expect(compileGlob(`${'*a'.repeat(200)}`).matches(text)).toBe(false);
  expect(compileGlob(`${'**/'.repeat(100)}x`).matches(`${'a/'.repeat(500)}y`)).toBe(false);
});
