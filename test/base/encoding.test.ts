import { readFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { decode, encode } from '../../src/base/codec.ts';
import { detectEncoding, isBinary } from '../../src/base/encoding.ts';

const bytesOf = (text: string, name: string) => iconv.encode(text, name, { addBOM: false });
const named = (bytes: Buffer) => {
  const { name, bom, certain } = detectEncoding(bytes);
  return [name, bom.length, certain];
};

test.each([
  ['empty', Buffer.alloc(0), ['UTF-8', 0, true]],
  ['ASCII', Buffer.from('abc\n'), ['UTF-8', 0, true]],
  ['UTF-8', Buffer.from('äöü → 😀'), ['UTF-8', 0, true]],
  ['UTF-8 with a mark', Buffer.from('\ufeffabc'), ['UTF-8', 3, true]],
  ['UTF-8 with damage', Buffer.concat([Buffer.from('äöü äöü äöü äöü'), Buffer.from([0xff])]), ['UTF-8', 0, true]],
  ['UTF-16LE with a mark', Buffer.from('\ufeffabc', 'utf16le'), ['UTF-16LE', 2, true]],
  ['UTF-16BE with a mark', Buffer.from('\ufeffabc', 'utf16le').swap16(), ['UTF-16BE', 2, true]],
  ['UTF-16LE without', Buffer.from('hello\r\nworld', 'utf16le'), ['UTF-16LE', 0, true]],
  ['UTF-16BE without', Buffer.from('hello\r\nworld', 'utf16le').swap16(), ['UTF-16BE', 0, true]],
  ['UTF-16LE Japanese without', Buffer.from('日本語のテキスト\n二行目\n', 'utf16le'), ['UTF-16LE', 0, true]],
  ['UTF-16LE Russian without', Buffer.from('Привет, мир\n', 'utf16le'), ['UTF-16LE', 0, true]],
  [
    'UTF-32LE with a mark',
    Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), bytesOf('a😀', 'utf-32le')]),
    ['UTF-32LE', 4, true],
  ],
  [
    'UTF-32BE with a mark',
    Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), bytesOf('a😀', 'utf-32be')]),
    ['UTF-32BE', 4, true],
  ],
  ['UTF-32LE without', bytesOf('hello\n', 'utf-32le'), ['UTF-32LE', 0, true]],
  ['Latin-1 word', bytesOf('$x = 1;\n// café corner\n', 'latin1'), ['Windows-1252', 0, false]],
  ['Windows-1252 quotes', bytesOf('“quoted”, naïve, déjà vu – it’s a café\n', 'win1252'), ['Windows-1252', 0, false]],
  ['German', bytesOf('größe = 10; // Länge über alles\n', 'latin1'), ['Windows-1252', 0, false]],
  ['Cyrillic', bytesOf('// функция чтения настроек\n', 'win1251'), ['Windows-1251', 0, false]],
  ['Shift_JIS', bytesOf('// 設定を読み込む関数\nconst a = 1;\n', 'Shift_JIS'), ['Shift_JIS', 0, false]],
  ['EUC-JP', bytesOf('// 設定を読み込む関数\nconst a = 1;\n', 'EUC-JP'), ['EUC-JP', 0, false]],
  ['GBK', bytesOf('// 读取配置文件的函数\nconst a = 1;\n', 'GBK'), ['GB18030', 0, false]],
  ['Big5', bytesOf('// 讀取設定檔的函數\nconst a = 1;\n', 'Big5'), ['Big5', 0, false]],
  ['EUC-KR', bytesOf('// 설정 파일을 읽는 함수\nconst a = 1;\n', 'EUC-KR'), ['EUC-KR', 0, false]],
  ['one high byte', Buffer.from([0xe9]), ['Windows-1252', 0, false]],
])('%s', (_name, bytes, expected) => {
  expect(named(bytes)).toEqual(expected);
});

const header = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));

test.each([
  ['this program', readFileSync(process.execPath).subarray(0, 100_000)],
  ['PNG', header('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0])],
  ['zip', header('PK\x03\x04', [20, 0, 0, 0, 8, 0, 33, 0, 77, 5])],
  ['SQLite', header('SQLite format 3\0', [16, 0, 1, 1, 0, 64, 32, 32])],
  ['WebAssembly', header('\0asm', [1, 0, 0, 0])],
  ['strings that end in NUL', header('hello\0world\0')],
  ['a string that ends in NUL', header('abc\0')],
  ['a marked UTF-16 with U+0000', header('\xff\xfea\0\0\0')],
  ['NULs alone', Buffer.alloc(64)],
])('binary: %s', (_name, bytes) => {
  expect(isBinary(bytes)).toBe(true);
});

test.each([
  ['Shift_JIS', bytesOf('日本語', 'Shift_JIS')],
  ['Latin-1', bytesOf('é', 'latin1')],
  ['UTF-16 without a mark', Buffer.from('hello', 'utf16le')],
  ['UTF-16 with a mark', Buffer.from('\ufeffhello', 'utf16le')],
  ['a NUL behind the first 8 KB', Buffer.concat([Buffer.alloc(8192, 'a'), Buffer.from([0])])],
])('not binary: %s', (_name, bytes) => {
  expect(isBinary(bytes)).toBe(false);
});

test('the window is the caller’s', () => {
  const bytes = Buffer.concat([Buffer.alloc(600, 'a'), Buffer.from([0])]);
  expect([isBinary(bytes), isBinary(bytes, 512)]).toEqual([true, false]);
});

test.each(['UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'])('%s: text → bytes → text', (name) => {
  const encoding = { name, bom: Buffer.alloc(0), certain: true };
  expect(decode(encode('aé→😀\r\n', encoding), encoding)).toBe('aé→😀\r\n');
});

test('decoding leaves the byte-order mark out', () => {
  expect(decode(Buffer.from('\ufeffabc'))).toBe('abc');
  expect(decode(Buffer.from('\ufeffabc', 'utf16le'))).toBe('abc');
});

test('a refusal names what can’t be seen by its number', () => {
  const encoding = { name: 'Windows-1252', bom: Buffer.alloc(0), certain: false };
  expect(() => encode('a\u200bb', encoding)).toThrow(
    'The file is Windows-1252, which has no U+200B. Use only characters that Windows-1252 has, or convert the file to UTF-8 first.',
  );
});
