import { tmpdir } from 'node:os';
import { ToolError } from '../base/error.ts';
import { capture } from './capture.ts';
import { findProgram } from './program.ts';

/** Programs that write the image in the clipboard to their output: Wayland, X11, macOS. */
const readers: readonly (readonly [name: string, ...args: string[]])[] = [
  ['wl-paste', '--no-newline', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
  ['pngpaste', '-'],
];

const patienceMs = 5000;

/**
 * The image in the clipboard of this machine, at most `maxBytes` and one more of it. Throws `missing`: there is none, or
 * nothing here that could tell.
 */
export async function readClipboardImage(env: NodeJS.ProcessEnv, maxBytes: number): Promise<Buffer> {
  const found = readers.flatMap(([name, ...args]) => {
    const file = findProgram(name, env.PATH);
    return file === undefined ? [] : [{ file, args }];
  });
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  for (const { file, args } of found) {
    const options = { file, args, cwd: tmpdir(), env: given, timeoutMs: patienceMs, maxBytes: maxBytes + 1 };
    const read = await capture(options).catch(() => undefined);
    if (read?.code === 0 && read.stdout.length > 0) return read.stdout;
  }
  const names = readers.map(([name]) => name).join(', ');
  throw new ToolError(
    'missing',
    found.length === 0
      ? `An image in the clipboard can be read where one of ${names} is installed. Without, name a file: @path/to/image.png.`
      : 'There is no image in the clipboard (or it is out of reach from here). A file can be named: @path/to/image.png.',
  );
}
