import { expect, test } from 'vitest';
import { droppedImages } from '../../../src/ui/terminal/dropped.ts';

const drop = (text: string) => droppedImages(`\x1b[200~${text}\x1b[201~`);

test('a dropped image becomes a mention, as each terminal writes its path', () => {
  expect(drop('/tmp/a.png')).toBe('@/tmp/a.png ');
  expect(drop("'/tmp/my shot.png' ")).toBe('@"/tmp/my shot.png" ');
  expect(drop('"/tmp/my shot.PNG"\n')).toBe('@"/tmp/my shot.PNG" ');
  expect(drop('/tmp/my\\ shot.png')).toBe('@"/tmp/my shot.png" ');
  expect(drop('file:///tmp/my%20shot.png')).toBe('@file:///tmp/my%20shot.png ');
  expect(drop("~/a.jpeg '/b/c.gif'")).toBe('@~/a.jpeg @/b/c.gif ');
});

test.each([
  ['text', 'look at /tmp/a.png'],
  ['a bare name', 'logo.png'],
  ['a path of something else', '/tmp/a.ts'],
  ['a quote that never ends', "'/tmp/a.png"],
  ['two lines', '/tmp/a.png\n/tmp/b.png'],
  ['nothing', ''],
])('%s stays as it is', (_, text) => expect(drop(text)).toBeUndefined());

test('keys are no paste', () => expect(droppedImages('/tmp/a.png')).toBeUndefined());
