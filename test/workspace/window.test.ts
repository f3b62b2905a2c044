import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/workspace/file-state.ts';
import { type LineWindow, readWindow, type WindowOptions } from '../../src/workspace/window.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

async function windowOf(content: string | Buffer, options: Partial<WindowOptions> = {}): Promise<LineWindow> {
  const path = join(tempFolder(), 'f.txt');
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  try {
    return await readWindow(fd, 'f.txt', { offset: 1, limit: 2000, ...options });
  } finally {
    closeSync(fd);
  }
}

const shape = ({ first, lines, cut, total }: LineWindow) => ({ first, lines, cut, total });

describe('readWindow', () => {
  it('gives a whole file, its count and its digest', async () => {
    const window = await windowOf('a\nb\n');
    expect(shape(window)).toEqual({ first: 1, lines: ['a', 'b'], cut: undefined, total: 2 });
    expect(window.digest).toBe(digestOf(Buffer.from('a\nb\n')));
  });

  it.each([
    ['', [], 0],
    ['a', ['a'], 1],
    ['\n', [''], 1],
    ['\n\n', ['', ''], 2],
    ['a\r\nb\r\n', ['a', 'b'], 2],
    ['a\r\nb', ['a', 'b'], 2],
    ['a\rb\n', ['a\rb'], 1],
  ])('splits %j', async (content, lines, total) => {
    expect(shape(await windowOf(content))).toEqual({ first: 1, lines, cut: undefined, total });
  });

  it('knows the total only when it reached the end', async () => {
    expect(shape(await windowOf('a\nb\nc\n', { limit: 2 }))).toMatchObject({ lines: ['a', 'b'], total: undefined });
    expect(shape(await windowOf('a\nb\nc\n', { offset: 2, limit: 2 }))).toMatchObject({ lines: ['b', 'c'], total: 3 });
    expect(shape(await windowOf('a\nb\nc', { offset: 3, limit: 1 }))).toMatchObject({ lines: ['c'], total: 3 });
  });

  it('gives a digest only when all of the file is there', async () => {
    expect((await windowOf('a\nb\n', { offset: 2 })).digest).toBeUndefined();
    expect((await windowOf('a\nb\n', { limit: 1 })).digest).toBeUndefined();
  });

  it('says how many lines there are when asked behind the end', async () => {
    const refused = { code: 'invalid', message: 'offset 4 is past the end of f.txt, which has 3 lines.' };
    await expect(windowOf('a\nb\nc\n', { offset: 4 })).rejects.toMatchObject(refused);
    await expect(windowOf('a\nb\nc', { offset: 4 })).rejects.toMatchObject(refused);
    await expect(windowOf('a', { offset: 9 })).rejects.toThrow('offset 9 is past the end of f.txt, which has 1 line.');
    await expect(windowOf('', { offset: 2 })).rejects.toThrow('offset 2 is past the end of f.txt, which has 0 lines.');
  });

  it('keeps a bounded part of a long line and counts the rest, never within a character', async () => {
    const window = await windowOf(`${'é'.repeat(100)}\nnext\n`, { maxBytes: 5 });
    expect(shape(window)).toEqual({ first: 1, lines: ['éé'], cut: { chars: 98 + 1 + 5, atLeast: false }, total: 2 });
    const wide = await windowOf('😀'.repeat(10), { maxBytes: 4 });
    expect(shape(wide)).toEqual({ first: 1, lines: ['😀'], cut: { chars: 18, atLeast: false }, total: 1 });
  });

  it('keeps no half of a character where a piece ends and the room does, too', async () => {
    const room = 128 * 1024;
    for (const at of [room - 3, room - 2, room - 1]) {
      // The window begins so that a piece of 256 KB, behind the first of 64 KB, ends where the room ends.
      const before = `${'a'.repeat(320 * 1024 - room - 1)}\n`;
      const window = await windowOf(`${before}${'é'}${'b'.repeat(at - 2)}😀${'c'.repeat(100)}\n`, { offset: 2 });
      expect(window.encoding.name).toBe('UTF-8');
      expect(window.lines).toEqual([`é${'b'.repeat(at - 2)}`]);
      expect(window.cut).toEqual({ chars: 2 + 100 + 1, atLeast: false });
    }
  });

  it('keeps no half of a surrogate pair', async () => {
    for (const swap of [false, true]) {
      const bytes = Buffer.from('\ufeffab😀😀', 'utf16le');
      const window = await windowOf(swap ? bytes.swap16() : bytes, { maxBytes: 8 - 2 });
      expect(shape(window)).toEqual({ first: 1, lines: ['ab'], cut: { chars: 4, atLeast: false }, total: 1 });
    }
  });

  it('gives up counting after 64 MB', async () => {
    const window = await windowOf(Buffer.alloc(70 * 1024 * 1024, 97));
    expect(window.cut?.atLeast).toBe(true);
    expect(window.total).toBeUndefined();
    expect(window.lines[0]).toHaveLength(128 * 1024);
  });

  it('stops when the call is cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(windowOf(Buffer.alloc(40 * 1024 * 1024, 97), { offset: 2, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('refuses a NUL in the first 8 KB, not behind', async () => {
    await expect(windowOf('abc\0def')).rejects.toMatchObject({
      code: 'conflict',
      message:
        'f.txt is a binary file (NUL byte at offset 3), so it is not shown. Look at it with a command, such as file or xxd.',
    });
    await expect(windowOf(`${'a'.repeat(8191)}\0`)).rejects.toMatchObject({ code: 'conflict' });
    expect((await windowOf(`${'a'.repeat(8192)}\0`)).total).toBe(1);
  });
});

describe('encodings', () => {
  const bom = (bytes: number[], rest: Buffer) => Buffer.concat([Buffer.from(bytes), rest]);
  const be = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it('decodes UTF-16 with a mark in both orders, aligned', async () => {
    // U+0A0A and U+0A00 hold bytes that look like line ends.
    const text = 'hello\r\n\u0a0a\u0a00x\r\nworld\r\n';
    const lines = ['hello', '\u0a0a\u0a00x', 'world'];
    for (const [name, bytes] of [
      ['UTF-16LE', bom([0xff, 0xfe], Buffer.from(text, 'utf16le'))],
      ['UTF-16BE', bom([0xfe, 0xff], be(text))],
    ] as const) {
      const window = await windowOf(bytes);
      expect([window.encoding.name, window.lines, window.total]).toEqual([name, lines, 3]);
      expect((await windowOf(bytes, { offset: 3, limit: 1 })).lines).toEqual(['world']);
    }
  });

  it('shows half a code unit at the end of UTF-16 as U+FFFD', async () => {
    for (const swap of [false, true]) {
      const text = Buffer.from('\ufeffab\n', 'utf16le');
      const bytes = Buffer.concat([swap ? text.swap16() : text, Buffer.from('c')]);
      expect(shape(await windowOf(bytes))).toEqual({ first: 1, lines: ['ab', '\ufffd'], cut: undefined, total: 2 });
      expect((await windowOf(bytes, { offset: 2 })).lines).toEqual(['\ufffd']);
    }
    expect((await windowOf(Buffer.from([0xff, 0xfe, 0x63]))).lines).toEqual(['\ufffd']);
  });

  it('does not show a UTF-8 mark as text', async () => {
    expect((await windowOf('\ufeffa\n')).lines).toEqual(['a']);
  });

  it('decodes a legacy encoding that shows only behind the head', async () => {
    const latin = Buffer.concat([
      Buffer.from('plain ascii line\n'.repeat(10_000)),
      Buffer.from('caf\xe9 cr\xe8me\n', 'latin1'),
    ]);
    const window = await windowOf(latin, { offset: 10_001 });
    expect(window.lines).toEqual(['café crème']);
    expect(window.encoding.certain).toBe(false);
  });

  it('takes a head that ends within a character for what it is', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const window = await windowOf(`${'x'.repeat(shift)}${'€uro 😀 '.repeat(20_000)}`, { limit: 1 });
      expect(window.encoding.name).toBe('UTF-8');
    }
  });
});

describe('any window of any text', () => {
  const line = fc.stringMatching(/^[a-zé😀]{0,5}$/u);
  const end = fc.constantFrom('\n', '\r\n');

  it('equals what splitting the whole text gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, end), { maxLength: 12 }),
        line,
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 1, max: 14 }),
        fc.constantFrom('utf8', 'utf16le') as fc.Arbitrary<'utf8' | 'utf16le'>,
        async (parts, tail, offset, limit, encoding) => {
          const text = parts.map(([body, ending]) => body + ending).join('') + tail;
          const lines = [...parts.map(([body]) => body), ...(tail === '' ? [] : [tail])];
          const content = encoding === 'utf8' ? text : `\ufeff${text}`;
          const asked = windowOf(Buffer.from(content, encoding), { offset, limit });
          if (offset > Math.max(lines.length, 1)) {
            await expect(asked).rejects.toMatchObject({ code: 'invalid' });
            return;
          }
          const ended = offset - 1 + limit >= lines.length;
          expect(shape(await asked)).toEqual({
            first: offset,
            lines: lines.slice(offset - 1, offset - 1 + limit),
            cut: undefined,
            total: ended ? lines.length : undefined,
          });
        },
      ),
      runs(200),
    );
  });

  it('holds across chunk borders', async () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `line ${at} ${'y'.repeat(at % 37)}`);
    const text = `${lines.join('\n')}\n`;
    for (const offset of [1, 1700, 9_999, 39_990, 40_000]) {
      expect((await windowOf(text, { offset, limit: 15 })).lines).toEqual(lines.slice(offset - 1, offset + 14));
    }
  });
});
