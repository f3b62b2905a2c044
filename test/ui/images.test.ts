import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { drive, idle, modelBy } from '../support/drive.ts';
import { tempFolder } from '../support/folders.ts';
import { jpeg, png } from '../support/images.ts';
import { takeSeat } from '../support/seat.ts';

// A whole program in a terminal, on whatever machine.
vi.setConfig({ testTimeout: 240_000 });

const imageUrls = (message: { readonly content: unknown }): string[] =>
  Array.isArray(message.content)
    ? message.content.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url.url]))
    : [];
const url = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;

test('an image by @, by a dropped file, out of the clipboard; shown again when the session goes on', async () => {
  const bin = tempFolder({ 'image.png': png(2048) });
  const files = { 'shots/a.png': png(), 'my shot.jpg': jpeg(12 * 1024), 'note.png': 'text', '.env': 'X=1' };
  // What the two programs are on a machine with a screen.
  const fake = tempFolder({
    'wl-paste': `#!/bin/sh\ntest "$*" = "--no-newline --type image/png" && cat ${bin}/image.png\n`,
  });
  chmodSync(join(fake, 'wl-paste'), 0o755);
  const env = { PATH: `${fake}:${process.env.PATH}` };
  const replies = modelBy({});
  const { pane, root, home, requests } = await takeSeat({ files, replies, env });
  const { ask, send } = drive(pane);
  await pane.until(idle);

  const first = await ask('what is on @shots/a.png', 'You said');
  expect(first).toContain('› what is on @shots/a.png\n  [image shots/a.png 64 bytes]');
  expect(requests[0]!.body.messages.at(-1).content).toEqual([
    { type: 'text', text: 'what is on @shots/a.png' },
    { type: 'text', text: '[image shots/a.png]' },
    { type: 'image_url', image_url: { url: url('png', png()) } },
  ]);

  await pane.until(idle);
  await pane.press('C-l');
  await pane.paste(`'${root}/my shot.jpg'`);
  await pane.until(`@"${root}/my shot.jpg"`);
  await send('and this');
  await pane.until('[image my shot.jpg 12 KB]');
  await pane.until('You said');
  expect(imageUrls(requests[1]!.body.messages.at(-1))).toEqual([url('jpeg', jpeg(12 * 1024))]);

  await pane.until(idle);
  await pane.press('C-l', 'C-v');
  await pane.until('@clipboard-1.png');
  await send('last');
  await pane.until('[image clipboard-1.png 2 KB]');
  await pane.until('You said');
  expect(imageUrls(requests[2]!.body.messages.at(-1))).toEqual([url('png', png(2048))]);

  await pane.until(idle);
  const refused = await ask('see @note.png and @gone.png', 'Nothing was sent.');
  expect(refused).toContain("@note.png can't be shown: it holds no PNG, JPEG, GIF or WebP image.");
  expect(refused).toContain("@gone.png can't be shown: ");
  await pane.until(/─\nsee @note\.png and @gone\.png\n─/);
  expect(requests).toHaveLength(3);

  await pane.press('C-u');
  await pane.gone('─\nsee @note.png');
  await pane.press('C-d');
  const again = await takeSeat({ root, home, replies, args: '-c' });
  const resumed = await again.pane.until(idle);
  expect(resumed).toContain('[image my shot.jpg 12 KB]');
  await again.pane.press('C-v');
  await again.pane.until('An image in the clipboard can be read where one of');
  await again.pane.type('go on');
  await again.pane.press('Enter');
  await again.pane.until('You said go on.');
  const sent = again.requests.at(-1)!.body.messages.flatMap(imageUrls);
  expect(sent.map((text: string) => text.slice(5, 15))).toEqual(['image/png;', 'image/jpeg', 'image/png;']);
});
