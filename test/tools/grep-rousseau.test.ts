import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rousseauGrep } from '../../src/tools/grep-rousseau.ts';
import { engines } from '../support/engines.ts';
import { tempFolder } from '../support/folders.ts';
import { callTool } from '../support/tool-call.ts';

describe.each(engines)('grep of rousseau (%s)', (_, engine) => {
  const tool = rousseauGrep({ engine: () => engine });
  const run = (root: string, args: object) => callTool(tool, args, { root, pathStyle: 'absolute' });
  const text = async (root: string, args: object) => (await run(root, args)).text;

  test('rows are `<path>:<line>: <matching-line>` with absolute paths', async () => {
    const root = tempFolder({ 'a.go': 'func main() {\n}\n', 'b/c.go': '\tfunc x()\n' });
    expect(await text(root, { pattern: 'func \\w+', path: root })).toBe(
      `${root}/a.go:1: func main() {\n${root}/b/c.go:1: \tfunc x()`,
    );
    expect(await text(root, { pattern: 'func', path: join(root, 'b') })).toBe(`${root}/b/c.go:1: \tfunc x()`);
    expect(await text(root, { pattern: 'FUNC main', path: root, ignore_case: true })).toBe(
      `${root}/a.go:1: func main() {`,
    );
  });

  test('no matches', async () => {
    const root = tempFolder({ 'a.go': 'x' });
    expect(await text(root, { pattern: 'nope', path: root })).toBe('no matches');
  });

  test('skips .git, node_modules, vendor, .venv, __pycache__, dist and build, large files and binaries', async () => {
    const skipped = ['.git', 'node_modules', 'vendor', '.venv', '__pycache__', 'dist', 'build'];
    const root = tempFolder({
      ...Object.fromEntries(skipped.map((name) => [`sub/${name}/f.txt`, 'needle'])),
      'lib/build': 'needle',
      'big.txt': `needle\n${'x'.repeat(4 * 1024 * 1024)}`,
      'ok.txt': `needle\n${'x'.repeat(4 * 1024 * 1024 - 7)}`,
      'a.bin': Buffer.from('needle\0'),
      '.gitignore': 'ok.txt',
    });
    expect(await text(root, { pattern: 'needle', path: root })).toBe(
      `${root}/lib/build:1: needle\n${root}/ok.txt:1: needle`,
    );
  });

  test('include is applied to the base name', async () => {
    const root = tempFolder({ 'a.go': 'x', 'd/b.go': 'x', 'd/b.ts': 'x' });
    expect(await text(root, { pattern: 'x', path: root, include: '*.go' })).toBe(
      `${root}/a.go:1: x\n${root}/d/b.go:1: x`,
    );
    expect(await text(root, { pattern: 'x', path: root, include: '[b]*' })).toBe(
      `${root}/d/b.go:1: x\n${root}/d/b.ts:1: x`,
    );
  });

  test('200 matches, then an inline note', async () => {
    const root = tempFolder({ 'a.txt': 'x\n'.repeat(300) });
    const lines = (await text(root, { pattern: 'x', path: root })).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([
      201,
      '... (truncated at 200 matches; narrow pattern, path or include)',
    ]);
  });

  test('errors', async () => {
    const root = tempFolder();
    expect((await run(root, { pattern: 'x' })).code).toBe('invalid');
    expect((await run(root, { path: root })).code).toBe('invalid');
    expect((await run(root, { pattern: 'x', path: 'rel' })).code).toBe('invalid');
    expect((await run(root, { pattern: '(', path: root })).text).toMatch(/^grep: Invalid regex: unclosed group/);
    expect((await run(root, { pattern: '(?!x)', path: root })).text).toMatch(/^grep: Invalid regex: look-around/);
    expect((await run(root, { pattern: 'x', path: root, include: '[a' })).text).toBe(
      'grep: invalid include glob "[a": a bracket is open; close it, or write \\[ for the character',
    );
    expect((await run(root, { pattern: 'x', path: join(root, 'nope') })).text).toBe(
      `grep: ${root}/nope: no such file or directory`,
    );
  });
});
