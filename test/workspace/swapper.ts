import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A second process that keeps swapping a folder, a file and a link of a workspace for links that lead outside.
// Usage: swapper WORKSPACE OUTSIDE ROUNDS; tells its parent when it starts, after ROUNDS, and how many it made.

const [, , ws, out, enough] = process.argv as [string, string, string, string, string];
let rounds = 0;

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The other process was in the way.
  }
}

function swapFolder(): void {
  quietly(() => renameSync(join(ws, 'dir'), join(ws, 'aside')));
  quietly(() => symlinkSync(out, join(ws, 'dir')));
  quietly(() => rmSync(join(ws, 'dir')));
  quietly(() => renameSync(join(ws, 'aside'), join(ws, 'dir')));
  if (!lstatSync(join(ws, 'dir'), { throwIfNoEntry: false })) quietly(() => mkdirSync(join(ws, 'dir')));
}

function swapFile(): void {
  const file = join(ws, 'dir', 'file.txt');
  quietly(() => symlinkSync(join(out, 'file.txt'), `${file}.link`));
  quietly(() => renameSync(`${file}.link`, file));
  quietly(() => writeFileSync(`${file}.plain`, 'inside\n', { flag: 'wx' }));
  quietly(() => renameSync(`${file}.plain`, file));
}

function swapMiddle(): void {
  quietly(() => symlinkSync(out, join(ws, 'mid.link')));
  quietly(() => renameSync(join(ws, 'mid'), join(ws, 'mid.aside')));
  quietly(() => renameSync(join(ws, 'mid.link'), join(ws, 'mid')));
  quietly(() => rmSync(join(ws, 'mid')));
  quietly(() => renameSync(join(ws, 'mid.aside'), join(ws, 'mid')));
}

process.send?.('ready');
process.on('message', () => {
  process.send?.(rounds, () => process.exit(0));
});

function round(): void {
  swapFolder();
  swapFile();
  swapMiddle();
  rounds += 1;
  if (rounds === Number(enough)) process.send?.('enough');
  setImmediate(round);
}
round();
