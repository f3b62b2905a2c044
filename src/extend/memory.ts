import * as z from 'zod';
import { defineTool, type Tool } from '../tool/tool.ts';
import { type NotePlace, noteKinds, noteLine, openNotes } from './notes.ts';

const oneLine = z
  .string()
  .refine((text) => text.trim() !== '', 'is empty')
  .refine((text) => text.length <= 400, 'is longer than 400 characters; keep what matters')
  .refine((text) => !/[\0-\x08\n-\x1f\x7f]/.test(text), 'must be one line of plain text');

/** `remember`, `recall` and `forget`: notes that outlive the session. */
export function memoryTools(place: NotePlace): readonly Tool[] {
  const notes = openNotes(place);
  const remember = defineTool({
    name: 'remember',
    description: 'Note something about this project for later sessions. Only what the files do not say.',
    input: z.strictObject({ note: oneLine.describe('one line'), kind: z.enum(noteKinds).optional() }),
    readOnly: true,
    prepare: ({ note, kind = 'fact' }) => ({
      effects: [],
      subject: note,
      plan: async () => {
        notes.add({ note: note.trim(), kind });
        return { type: 'answer', text: `Noted. Notes in all: ${notes.all().length}.` };
      },
    }),
  });
  const recall = defineTool({
    name: 'recall',
    description: 'Find notes from earlier sessions that hold all words of the query.',
    input: z.strictObject({ query: z.string() }),
    readOnly: true,
    prepare: ({ query }) => ({
      effects: [],
      subject: query,
      plan: async () => ({ type: 'answer', text: found(notes.find(query).map(noteLine), query, notes.all().length) }),
    }),
  });
  const forget = defineTool({
    name: 'forget',
    description: 'Take back the one note that holds all of these words.',
    input: z.strictObject({ note: oneLine }),
    readOnly: true,
    prepare: ({ note }) => ({
      effects: [],
      subject: note,
      plan: async () => ({ type: 'answer', text: `Forgotten: ${noteLine(notes.remove(note))}` }),
    }),
  });
  return [remember, recall, forget];
}

function found(lines: readonly string[], query: string, total: number): string {
  if (lines.length > 0) return lines.map((line) => `- ${line}`).join('\n');
  return total === 0 ? 'There are no notes yet.' : `No note has all of these words: ${query}. Notes in all: ${total}.`;
}
