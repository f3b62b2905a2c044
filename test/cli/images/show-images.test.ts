import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { memorySession } from '../../../src/agent/record.ts';
import { mentionsIn } from '../../../src/cli/images/mentions.ts';
import { mostImageBytes, showImages } from '../../../src/cli/images/show-images.ts';
import { tempFolder } from '../../support/folders.ts';
import { type GateSetup, openTestGate } from '../../support/gate.ts';
import { gif, jpeg, png, webp } from '../../support/images.ts';

async function shower(setup: GateSetup) {
  const { app, root } = await openTestGate(setup);
  const { images: store } = memorySession();
  const show = (text: string, pasted?: ReadonlyMap<string, Uint8Array>) =>
    showImages(text, { app, store, ...(pasted === undefined ? {} : { pasted }) });
  return { root, store, show };
}

test('what a prompt mentions: bare, quoted, escaped, as an address; not what stands in a word', () => {
  const paths = (text: string) => mentionsIn(text).map(({ path }) => path);
  expect(paths('see @a.png and (@b/c.png) "x"')).toEqual(['a.png', 'b/c.png)']);
  expect(paths(`@"my shot.png" @'other one.png' @my\\ third.png`)).toEqual([
    'my shot.png',
    'other one.png',
    'my third.png',
  ]);
  expect(paths('@file:///tmp/a%20b.png')).toEqual(['/tmp/a b.png']);
  expect(paths('me@example.com a@b.png @ @"')).toEqual([]);
  expect(paths('@a.png @a.png')).toEqual(['a.png']);
});

test('images by what they hold, whatever they are called; their bytes are kept', async () => {
  const files = {
    'a.png': png(),
    'b.txt': jpeg(),
    noname: gif(),
    'dir/c.webp': webp(2048),
    'd.ts': 'code',
    'My Shot.png': png(100),
  };
  const { show, store, root } = await shower({ files });
  const address = pathToFileURL(join(root, 'My Shot.png')).href;
  const { images, problems } = await show(`@a.png, @b.txt. (@noname) @dir/c.webp! @d.ts @someone @${address}`);
  expect(problems).toEqual([]);
  expect(images.map(({ name, mediaType, size }) => [name, mediaType, size])).toEqual([
    ['a.png', 'image/png', 64],
    ['b.txt', 'image/jpeg', 64],
    ['noname', 'image/gif', 64],
    ['dir/c.webp', 'image/webp', 2048],
    ['My Shot.png', 'image/png', 100],
  ]);
  expect(store.get(images[3]!.digest)).toEqual(webp(2048));
});

test('an absolute path within the workspace, a link within it; nothing outside, by no way', async () => {
  const elsewhere = tempFolder({ 'out.png': png() });
  const { show, root } = await shower({ files: { 'a.png': png() } });
  symlinkSync('a.png', join(root, 'link.png'));
  symlinkSync(join(elsewhere, 'out.png'), join(root, 'escape.png'));
  expect((await show(`@${root}/a.png @link.png`)).images.map(({ name }) => name)).toEqual(['a.png', 'link.png']);
  const advice =
    "can't be shown: it is outside the workspace. Copy it into the workspace, or paste the image itself with ctrl+v.";
  expect(await show(`@${elsewhere}/out.png @escape.png @../x.png`)).toEqual({
    images: [],
    problems: [`@${elsewhere}/out.png ${advice}`, `@escape.png ${advice}`, `@../x.png ${advice}`],
  });
});

test('what rules deny is not shown, under none of its names; what they ask about the person has answered', async () => {
  const files = { 'private/a.png': png(), 'asked/b.png': png(), '.env.png': png(), '.env': png() };
  const config = { permission: { read_file: { 'private/**': 'deny', 'asked/**': 'ask' } } };
  const { show, root } = await shower({ files, config });
  symlinkSync('private/a.png', join(root, 'link.png'));
  linkSync(join(root, 'private/a.png'), join(root, 'hard.png'));
  const { images, problems } = await show('@private/a.png @link.png @hard.png @asked/b.png @.env');
  expect(images.map(({ name }) => name)).toEqual(['asked/b.png']);
  expect(problems.map((text) => text.split(':')[0])).toEqual([
    "@private/a.png can't be shown",
    "@link.png can't be shown",
    "@hard.png can't be shown",
  ]);
  expect(problems.every((text) => text.includes('denied'))).toBe(true);
});

test('what only looks like an image, is none, is too large or is missing is said', async () => {
  const files = { 'a.png': 'text', 'big.png': png(mostImageBytes + 524_288), 'empty.gif': '', 'dir.png/x': '' };
  const { show } = await shower({ files });
  expect(await show('@a.png @big.png @empty.gif @dir.png @gone.jpeg @x.bmp')).toEqual({
    images: [],
    problems: [
      "@a.png can't be shown: it holds no PNG, JPEG, GIF or WebP image.",
      "@big.png can't be shown: it has 4 MB, and an image may have 3.5 MB. Make it smaller first.",
      "@empty.gif can't be shown: it holds no PNG, JPEG, GIF or WebP image.",
      expect.stringContaining("@dir.png can't be shown: "),
      expect.stringContaining("@gone.jpeg can't be shown: "),
      expect.stringContaining("@x.bmp can't be shown: "),
    ],
  });
});

test('what was pasted is found by its name', async () => {
  const { show } = await shower({ files: {} });
  const pasted = new Map([['clipboard-1.png', png(10)]]);
  expect((await show('see @clipboard-1.png.', pasted)).images).toMatchObject([{ name: 'clipboard-1.png', size: 10 }]);
});

test('at most twenty images, and two hundred names are looked at', async () => {
  const names = Array.from({ length: 21 }, (_, at) => `i${at}.png`);
  const { show } = await shower({ files: Object.fromEntries(names.map((name) => [name, png()])) });
  const { images, problems } = await show(names.map((name) => `@${name}`).join(' '));
  expect([images.length, problems]).toEqual([20, ["@i20.png can't be shown: a prompt shows at most 20 images."]]);
  const code = Array.from({ length: 200 }, (_, at) => `@Annotation${at}`).join('\n');
  expect(await show(`${code} @i0.png`)).toEqual({ images: [], problems: [] });
});

test.each(['native', 'udiff', 'shiro', 'rousseau'])('in the %s dialect alike', async (dialect) => {
  const { show } = await shower({ files: { 'a.png': png() }, flags: { dialect } });
  expect((await show('@a.png')).images).toHaveLength(1);
});
