import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { contentOf } from './patch/patched.ts';

/** One file of a random tree, before and after; undefined where it is not there. */
export interface RandomFile {
  readonly name: string;
  readonly before: FileText | undefined;
  readonly after: FileText | undefined;
}

export interface FileText {
  readonly text: string;
  readonly executable: boolean;
}

const names = [
  'a.txt', 'b.txt', 'dir/c.txt', 'dir/deep/d.txt', 'a/x.txt', 'b/x.txt', 'a/a/y', 'sp ace.txt', 'two  spaces and b/ inside.txt',
  'größe.md', '日本/語.txt', 'qu"ote.txt', "it's.txt", 'back\\slash.txt', '-dash', '--- x', '+++ y', ' lead', 'trail ',
  'noext', '..two', 'x a b/x', '😀.txt', 'ends.', '.hidden', '.gitignorer',
]; // biome-ignore format: a list of odd names

const words = [
  'a', 'b', 'c', 'd', '', ' ', '\tx', '-', '+', '-- x', '++ y', '- x', '@@', '@@ -1 +1 @@', 'diff --git a/x b/x',
  '--- a/x', '+++ b/x', '\\ No newline at end of file', 'größe', 'p\rq', 'l\u2028s', '\u00a0', 'x'.repeat(300), '}', '  return 1;',
]; // biome-ignore format: a list of odd lines

export interface TreeOptions {
  /** True: each line may end differently. False: all lines of a file end alike. */
  readonly mixedEnds: boolean;
  readonly emptyFiles: boolean;
}

export function randomTree(options: TreeOptions): fc.Arbitrary<readonly RandomFile[]> {
  return fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 14 })
    .chain((chosen) => fc.tuple(...chosen.map((name) => randomFile(name, options))));
}

function randomFile(name: string, options: TreeOptions): fc.Arbitrary<RandomFile> {
  const eol = options.mixedEnds ? fc.constant(undefined) : fc.constantFrom('\n', '\r\n');
  return eol.chain((fixed) => {
    const line = fc.tuple(
      fc.constantFrom(...words),
      fixed === undefined ? fc.constantFrom('\n', '\n', '\r\n') : fc.constant(fixed),
    );
    const lines = fc.array(line, { minLength: options.emptyFiles ? 0 : 1, maxLength: 30 });
    return fc
      .record({
        lines,
        edits: fc.array(fc.tuple(fc.nat(40), fc.constantFrom('remove', 'insert', 'replace'), line), { maxLength: 5 }),
        fate: fc.constantFrom('edit', 'edit', 'edit', 'create', 'delete'),
        cut: fc.tuple(fc.boolean(), fc.boolean()),
        modes: fc.tuple(fc.boolean(), fc.boolean()),
      })
      .map(({ lines, edits, fate, cut, modes }) => {
        const before = fileText(lines, cut[0], modes[0], options);
        const after = fileText(edited(lines, edits), cut[1], modes[1], options);
        return {
          name,
          before: fate === 'create' ? undefined : before,
          after: fate === 'delete' ? undefined : fate === 'create' ? before : after,
        };
      });
  });
}

type Line = readonly [string, string];

function edited(lines: readonly Line[], edits: readonly (readonly [number, string, Line])[]): readonly Line[] {
  const result = [...lines];
  for (const [at, what, line] of edits) {
    const index = result.length === 0 ? 0 : at % (result.length + 1);
    result.splice(index, what === 'insert' ? 0 : 1, ...(what === 'remove' ? [] : [line]));
  }
  return result;
}

function fileText(lines: readonly Line[], cut: boolean, executable: boolean, options: TreeOptions): FileText {
  const text = lines.map((line) => line.join('')).join('');
  const whole = cut ? text.replace(/\r?\n$/, '') : text;
  return { text: whole === '' && !options.emptyFiles ? 'x\n' : whole, executable };
}

export function writeTree(root: string, files: readonly RandomFile[], side: 'before' | 'after'): void {
  for (const file of files) {
    const content = file[side];
    if (content === undefined) continue;
    const path = join(root, file.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content.text);
    chmodSync(path, content.executable ? 0o755 : 0o644);
  }
}

/** Content and mode of every file of a folder. */
export function snapshotOf(root: string): Record<string, string> {
  const entries = Object.entries(contentOf(root));
  return Object.fromEntries(
    entries.map(([name, text]) => [name, `${(statSync(join(root, name)).mode & 0o777).toString(8)} ${text}`]),
  );
}
