import { ModelError } from './error.ts';

/**
 * Bytes without an empty line. The events of a stream end at one, and who reads a stream holds an event whole; an
 * answer that is no stream is held whole as well.
 */
const longestEvent = 32 << 20;
/** Bytes of an answer that only tells of an error; more says nothing. */
const longestError = 1 << 20;

/** What came, until a sender that finds no end has to be stopped. Throws `output` when an event is too long. */
export async function* boundedBody(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open = 0;
  let before: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    open = endsEvent(before, chunk) ? 0 : open + chunk.length;
    if (open > longestEvent) {
      throw new ModelError('output', `The server sent ${longestEvent >> 20} MB without the end of an event.`);
    }
    before = chunk.subarray(-3);
    yield chunk;
  }
}

/** The beginning of what came, as much as is worth reading. */
export async function* boundedError(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = longestError;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** An empty line may lie across two chunks. */
function endsEvent(before: Buffer, chunk: Buffer): boolean {
  const border = Buffer.concat([before, chunk.subarray(0, 3)]);
  return [border, chunk].some((bytes) => bytes.includes('\n\n') || bytes.includes('\n\r\n'));
}
