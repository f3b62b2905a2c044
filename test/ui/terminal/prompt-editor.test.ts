import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createPromptEditor } from '../../../src/ui/terminal/prompt-editor.ts';
import { widthOf } from '../../../src/ui/terminal/text.ts';
import { themeFor } from '../../../src/ui/terminal/theme.ts';

function editor() {
  const onSubmit = vi.fn();
  const theme = themeFor({ NO_COLOR: '1', LANG: 'C.UTF-8' });
  return { onSubmit, ...createPromptEditor({ theme, rows: () => 24, onSubmit, onChange: () => {} }) };
}

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;
const moves = ['\x1b[A', '\x1b[B', '\x1b[C', '\x1b[D', '\x01', '\x05', '\x1bb', '\x1bf', '\x1b[H', '\x1b[F'];
const deletions = ['\x7f', '\x17', '\x0b', '\x15', '\x1bd', '\x19', '\x1f'];

test('pasted text is never lost: whatever moves before, behind and in between, all of it is there', () => {
  const text = fc.stringMatching(/^[a-zA-Z0-9 \tüß漢字😀"'\\{}\n]{1,2000}$/u).filter((one) => one.trim() !== '');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...moves)),
      text,
      fc.array(fc.constantFrom(...moves)),
      (before, pasted, behind) => {
        const { key, text: typed } = editor();
        for (const one of before) key(one);
        key(paste(pasted));
        for (const one of behind) key(one);
        expect(typed()).toBe(pasted);
      },
    ),
    { numRuns: 150 },
  );
});

test('whatever is typed, the cursor stands within the lines and no line is too wide', () => {
  const keys = fc.array(
    fc.oneof(
      fc.constantFrom(...moves, ...deletions, '\n', 'a', 'ü', '漢', '😀', ' '),
      fc.string({ maxLength: 30 }).map(paste),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(keys, fc.integer({ min: 10, max: 120 }), (typed, width) => {
      const { key, render } = editor();
      for (const one of typed) key(one);
      const { lines, cursor } = render(width);
      expect(cursor.row).toBeGreaterThan(0);
      expect(cursor.row).toBeLessThan(lines.length - 1);
      expect(cursor.column).toBeLessThanOrEqual(width);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 200 },
  );
});

test('a paste of many lines stands as a mark and is sent whole, tabs and all', () => {
  const { key, render, onSubmit, text } = editor();
  const pasted = Array.from({ length: 30 }, (_, at) => `\tline ${at}`).join('\n');
  key('see ');
  key(paste(pasted));
  expect(render(60).lines[1]).toBe('see [paste #1 +30 lines]');
  expect(text()).toBe(`see ${pasted}`);
  key('\r');
  expect(onSubmit).toHaveBeenCalledWith(`see ${pasted}`);
});

test('what was sent before comes back with the up key, what was being typed with the down key', () => {
  const { key, text, remember } = editor();
  remember('first');
  remember('second\tline');
  key('\x1b[A');
  expect(text()).toBe('second\tline');
  key('\x1b[A');
  expect(text()).toBe('first');
});

test('a backslash before enter, and ctrl-j, begin a new line', () => {
  const { key, text } = editor();
  for (const one of ['a', '\\', '\r', 'b', '\n', 'c']) key(one);
  expect(text()).toBe('a\nb\nc');
});
