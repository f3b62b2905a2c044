import { Writable } from 'node:stream';
import type { Io } from './program.ts';

/** Takes stdout for what was asked for. Whatever else prints there, from a dependency's depths too, comes out on stderr. */
export function takeStdout({ stdout, stderr }: Io): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({ write: (chunk: Buffer, _, done) => void write(chunk, done) });
}
