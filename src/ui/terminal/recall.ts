import { imageLabel } from '../../agent/images.ts';
import { isAssistant, isResult, isUser, type SessionRecord, type UserRecord } from '../../agent/record.ts';
import type { Block } from './view.ts';

/** How many of the last prompts are shown again, with what followed them. */
const mostPrompts = 3;

/** The end of a session that is gone on with, as it looked. */
export function recallBlocks(records: readonly SessionRecord[]): Block[] {
  const prompts = records.filter((record) => isUser(record) && record.kind !== 'reminder');
  const first = prompts[Math.max(0, prompts.length - mostPrompts)];
  if (first === undefined) return [];
  const args = new Map<string, string>();
  const shown = records.slice(records.indexOf(first));
  const earlier =
    prompts.length > mostPrompts ? [note(`${prompts.length - mostPrompts} earlier prompts not shown`)] : [];
  return [...earlier, ...shown.flatMap((record) => blocksOf(record, args))];
}

function blocksOf(record: SessionRecord, args: Map<string, string>): Block[] {
  if (isUser(record)) return record.kind === 'reminder' ? [note(record.text)] : [promptBlock(record)];
  if (isResult(record)) {
    const { callId, tool, result: text, code, changes = [] } = record;
    const end =
      code === undefined
        ? ({ type: 'ok', text, changes } as const)
        : code === 'denied'
          ? ({ type: 'denied', text } as const)
          : ({ type: 'error', code, text } as const);
    return [{ type: 'call', callId, tool, arguments: args.get(callId) ?? '', end }];
  }
  if (!isAssistant(record)) return [];
  return record.parts.flatMap((part): Block[] => {
    if (part.type === 'call') args.set(part.callId, part.arguments);
    return part.type === 'text' && part.text.trim() !== '' ? [{ type: 'answer', text: part.text, within: false }] : [];
  });
}

function promptBlock({ text, images = [] }: UserRecord): Block {
  return { type: 'prompt', text, ...(images.length === 0 ? {} : { images: images.map((image) => imageLabel(image)) }) };
}

function note(text: string): Block {
  return { type: 'note', style: 'muted', text };
}
