import { expect, test } from 'vitest';
import { ToolError } from '../../../src/base/error.ts';
import { validatePath } from '../../../src/change/patch/path.ts';

function faultOf(path: string): string | undefined {
  try {
    validatePath(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

test.each([
  ['', 'invalid: path is required: it is empty or blank.'],
  [' \u00a0', 'invalid: path is required: it is empty or blank.'],
  ['x'.repeat(4097), 'invalid: path is too long: 4097 bytes, at most 4096.'],
  ['ö'.repeat(2049), 'invalid: path is too long: 4098 bytes, at most 4096.'],
  ['a\0b', 'invalid: path must not contain control characters: "a\\u0000b"'],
  ['a\nb', 'invalid: path must not contain control characters: "a\\nb"'],
  ['a\u0085b', 'invalid: path must not contain control characters: "a\u0085b"'],
  ['/etc/passwd', 'invalid: path must be relative to the workspace: "/etc/passwd"'],
  ['\\share', 'invalid: path must be relative to the workspace: "\\\\share"'],
  ['C:\\x', 'invalid: path must be relative to the workspace: "C:\\\\x"'],
  ['../x', `invalid: path must not contain '..': "../x"`],
  ['a/../b', `invalid: path must not contain '..': "a/../b"`],
  ['a\\..\\b', `invalid: path must not contain '..': "a\\\\..\\\\b"`],
  ['.git/config', 'invalid: path must not lead into .git: ".git/config"'],
  ['sub/.GIT/config', 'invalid: path must not lead into .git: "sub/.GIT/config"'],
  ['.git', 'invalid: path must not lead into .git: ".git"'],
  ['.git. /x', 'invalid: path must not lead into .git: ".git. /x"'],
  ['.git::$INDEX_ALLOCATION/x', 'invalid: path must not lead into .git: ".git::$INDEX_ALLOCATION/x"'],
  ['GIT~1/x', 'invalid: path must not lead into .git: "GIT~1/x"'],
])('refuses %j', (path, message) => {
  expect(faultOf(path)).toBe(message);
});

test('looks in the order of the table: the first fault is named', () => {
  expect(faultOf(`/../.git/\n${'x'.repeat(5000)}`)).toContain('too long');
  expect(faultOf('/../.git/\n')).toContain('control characters');
  expect(faultOf('/../.git')).toContain('relative');
  expect(faultOf('../.git')).toContain("'..'");
});

test.each(['a.txt', '.gitignore', '.github/x', '..two', 'a/...', 'größe.md', 'x\u2028y', 'x'.repeat(4096)])(
  'takes %j',
  (path) => {
    expect(faultOf(path)).toBeUndefined();
  },
);
