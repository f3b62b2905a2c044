import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Smaller ones are not worth the call. */
const worthIt = 1024;
let closed: MessagePort | undefined;

/**
 * Gives the memory of bytes that came from a pipe back at once; they must not be used afterwards. The garbage collector does
 * not hurry with memory outside its heap: a gigabyte read in pieces grows the process by 35 MB. What is handed over to a
 * closed port is freed there and then.
 */
export function letGo(chunk: Buffer): void {
  // Small buffers that were not read from a pipe may share their memory with others.
  if (chunk.length < worthIt || chunk.length !== chunk.buffer.byteLength) return;
  closed ??= closedPort();
  closed.postMessage(null, [chunk.buffer as ArrayBuffer]);
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}
