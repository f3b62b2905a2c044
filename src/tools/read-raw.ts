import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { decode } from '../base/codec.ts';
import { detectEncoding } from '../base/encoding.ts';
import { asToolError, ToolError } from '../base/error.ts';
import { sizeText } from '../base/size.ts';
import { wholeUtf8 } from '../base/text.ts';
import { ledgerSlot, markOf } from '../tool/ledger.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { digestOf } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';
import { readUpTo } from '../workspace/read-whole.ts';
import { inGo } from './go-error.ts';

/** Up to here a file is given whole; of a larger one, the head. */
const maxWhole = 4 * 1024 * 1024;
const headOfLarge = 64 * 1024;

/** `read_file` of `udiff`: the raw contents. */
export const udiffReadFile: Tool = defineTool({
  name: 'read_file',
  description: 'Return the contents of a file.',
  set: 'core',
  readOnly: true,
  input: z.strictObject({ path: z.string().describe('File path relative to the workspace root.') }),
  prepare: ({ path: text }, context) => {
    const path = context.workspace.resolve(text);
    return {
      effects: [{ kind: 'read', path }],
      subject: path.given,
      plan: async () => {
        const raw = await seeRaw(context, path).catch((error) => {
          throw inspectError(error, path);
        });
        return { type: 'answer', text: rawText(raw, 'use search_code with this path to find the lines you need') };
      },
    };
  },
});

/** `read` of `rousseau`: the contents verbatim, by absolute path. */
export const rousseauRead: Tool = defineTool({
  name: 'read',
  description: 'Read a UTF-8 text file from the local filesystem.',
  set: 'core',
  readOnly: true,
  input: z.strictObject({ path: z.string().describe('Absolute filesystem path to the file to read.') }),
  prepare: ({ path: text }, context) =>
    inGo('read', text, () => {
      const path = context.workspace.resolve(text);
      return {
        effects: [{ kind: 'read', path }],
        subject: path.given,
        plan: () =>
          inGo('read', text, async () => {
            const raw = await seeRaw(context, path);
            refuseNul(raw, text);
            return { type: 'answer', text: rawText(raw, 'use bash (sed -n, grep -n) to see the lines you need') };
          }),
      };
    }),
});

interface Raw {
  readonly bytes: Buffer;
  /** Of the whole file when only its head was read. */
  readonly larger?: number;
  readonly given: string;
}

async function seeRaw({ workspace, signal, state }: ToolContext, path: FilePath): Promise<Raw> {
  signal.throwIfAborted();
  return workspace.open(path, (fd, stats) => {
    const bytes = readUpTo(fd, stats, maxWhole + 1);
    const whole = bytes.length <= maxWhole;
    state.get(ledgerSlot).saw(path, { mark: markOf(stats), ...(whole ? { digest: digestOf(bytes) } : {}) });
    if (whole) return { bytes, given: path.given };
    return { bytes: headLines(bytes), larger: Math.max(stats.size, bytes.length), given: path.given };
  });
}

function headLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(10, headOfLarge - 1) + 1;
  return end > 0 ? bytes.subarray(0, end) : wholeUtf8(bytes, headOfLarge);
}

/** The text, byte for byte where it is UTF-8 (a byte-order mark included); otherwise decoded, with a note. */
function rawText({ bytes, larger, given }: Raw, next: string): string {
  const { text, note } = decoded(bytes, given);
  const notes = larger === undefined ? [] : [`the first ${sizeText(bytes.length)} of ${sizeText(larger)}; ${next}`];
  if (note !== undefined) notes.push(note);
  if (notes.length === 0) return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${notes.map((one) => `... [${one}]`).join('\n')}`;
}

function decoded(bytes: Buffer, given: string): { text: string; note?: string } {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  const encoding = detectEncoding(bytes);
  if (bytes.includes(0) && encoding.name !== 'UTF-8' && !encoding.name.startsWith('UTF-')) {
    throw new ToolError(
      'conflict',
      `${given} is a binary file (${sizeText(bytes.length)}), which is no text to return.`,
    );
  }
  return {
    text: decode(bytes, encoding),
    note: `decoded from ${encoding.name}${encoding.certain ? '' : ', which is a guess'}`,
  };
}

function refuseNul({ bytes }: Raw, text: string): void {
  if (!bytes.subarray(0, 512).includes(0)) return;
  const { name } = detectEncoding(bytes);
  const wide = name.startsWith('UTF-16') || name.startsWith('UTF-32');
  const what = wide ? `${name} text; convert it with bash: iconv -f ${name} -t UTF-8` : 'not a text file';
  throw new ToolError('conflict', `read: ${text}: NUL byte in the first 512 bytes (${what})`);
}

function inspectError(thrown: unknown, path: FilePath): ToolError {
  const error = asToolError(thrown);
  if (error.code !== 'missing') return error;
  return new ToolError('missing', `inspect file: ${path.given}: no such file or directory`);
}
