import { capText, thousands } from '../base/text.ts';
import { plainOf } from '../process/text-stream.ts';
import type { ActionOutcome } from '../tool/tool.ts';

/** What a server answers to `tools/call`; nothing in it is taken on trust. */
export interface McpResult {
  readonly content?: readonly unknown[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/**
 * The result as a model reads it: texts without terminal sequences, everything else described, capped like any tool's.
 */
export function describeResult({ content = [], structuredContent, isError }: McpResult): ActionOutcome {
  const parts: string[] = content.map((item) => describeItem(item as Item | null));
  if (parts.join('') === '' && structuredContent !== undefined) {
    parts.push(JSON.stringify(structuredContent, null, 2));
  }
  const text = plainOf(parts.filter((part) => part !== '').join('\n')) || '(no output)';
  return { text: capText(text), ...(isError === true ? { code: 'failed' as const } : {}) };
}

/** The fields of all kinds of content. */
interface Item {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: Item;
}

function describeItem(item: Item | null): string {
  switch (item?.type) {
    case 'text':
      return typeof item.text === 'string' ? item.text : '';
    case 'image':
    case 'audio':
      return `[${item.type}: ${sizeOf(item.data, item.mimeType)}; it can't be shown here]`;
    case 'resource_link':
      return `[resource: ${[item.name, item.uri].filter((word) => typeof word === 'string').join(' ')}]`;
    case 'resource':
      return describeResource(item.resource ?? {});
    default:
      return `[content of the unknown type ${JSON.stringify(item?.type) ?? 'none'}]`;
  }
}

function describeResource(resource: Item & { readonly blob?: unknown }): string {
  const uri = String(resource.uri ?? '');
  if (typeof resource.text === 'string') return `[resource: ${uri}]\n${resource.text}`;
  return `[resource: ${uri}, ${sizeOf(resource.blob, resource.mimeType)}; it can't be shown here]`;
}

/** `image/png, 12,345 bytes`, from Base64 text. */
function sizeOf(data: unknown, mimeType: unknown): string {
  const bytes = typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0;
  return `${typeof mimeType === 'string' ? mimeType : 'unknown type'}, ${thousands(bytes)} bytes`;
}
