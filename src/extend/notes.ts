import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { openLog } from '../base/log.ts';
import { readWholeLog } from '../base/log-read.ts';
import { plural } from '../base/text.ts';
import { visibleText } from '../base/visible.ts';

export const noteKinds = ['fact', 'decision', 'gotcha', 'command'] as const;
export type NoteKind = (typeof noteKinds)[number];

export interface Note {
  readonly note: string;
  readonly kind: NoteKind;
}

/** Whose notes: those of a project, by the real path of its folder, below the state folder `home`. */
export interface NotePlace {
  readonly home: string;
  readonly root: string;
}

/** What a project's earlier sessions wanted to be known; a log of its own below the state folder. */
export interface Notes {
  /** Oldest first. */
  all(): readonly Note[];
  /** Throws `conflict` for a note that is there already, or when there are too many. */
  add(note: Note): void;
  /** The notes that hold all words of the query, whatever their case. */
  find(query: string): readonly Note[];
  /** Takes the one matching note away. Throws `missing`, or `conflict` that lists several. */
  remove(text: string): Note;
}

const maxNotes = 500;

export function openNotes({ home, root }: NotePlace): Notes {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const path = join(home, 'notes', `${name}.jsonl`);
  const withLog = <T>(use: (log: ReturnType<typeof openLog>) => T): T => {
    const log = openLog(path);
    try {
      return use(log);
    } finally {
      log.close();
    }
  };
  const all = () => distinct(readWholeLog(path).records.flatMap((record) => asNote(record) ?? []));
  return {
    all,
    find: (query) => matching(all(), query),
    add(note) {
      const notes = all();
      const same = notes.find((other) => keyOf(other.note) === keyOf(note.note));
      if (same !== undefined) throw new ToolError('conflict', `This is noted already: ${same.note}`);
      if (notes.length >= maxNotes) {
        throw new ToolError(
          'conflict',
          `There are ${maxNotes} notes already. Forget one that no longer matters first.`,
        );
      }
      // The root stands in the record for whoever looks at the folder of notes.
      withLog((log) => log.append({ ...note, root, at: new Date().toISOString() }, { sync: true }));
    },
    remove(text) {
      const note = theOne(all(), text);
      const key = keyOf(note.note);
      withLog((log) => log.rewrite((record) => keyOf(asNote(record)?.note ?? '') !== key));
      return note;
    },
  };
}

const maxPromptBytes = 4000;

/** The notes as lines for the prompt, the newest ones that fit, oldest first. */
export function notesForPrompt(place: NotePlace, maxBytes = maxPromptBytes): readonly string[] {
  const notes = openNotes(place).all();
  const lines: string[] = [];
  let left = maxBytes;
  for (const note of notes.toReversed()) {
    const line = noteLine(note);
    left -= Buffer.byteLength(line) + 3;
    if (left < 0) break;
    lines.unshift(line);
  }
  const older = notes.length - lines.length;
  return older === 0 ? lines : [`(${plural(older, 'older note')} not shown; find them with recall)`, ...lines];
}

/** `fact: tests live in test/` */
export function noteLine({ kind, note }: Note): string {
  return `${kind}: ${note}`;
}

function matching(notes: readonly Note[], query: string): readonly Note[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return notes.filter((note) => {
    const text = noteLine(note).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function theOne(notes: readonly Note[], text: string): Note {
  const exact = notes.find((note) => keyOf(note.note) === keyOf(text) || keyOf(noteLine(note)) === keyOf(text));
  const [first, ...others] = exact === undefined ? matching(notes, text) : [exact];
  if (first === undefined) {
    throw new ToolError('missing', `No note has all of these words: ${text}. Notes in all: ${notes.length}.`);
  }
  if (others.length === 0) return first;
  const list = [first, ...others].map((note) => `- ${noteLine(note)}`).join('\n');
  throw new ToolError(
    'conflict',
    `${others.length + 1} notes match. Nothing was forgotten; send one of them whole:\n${list}`,
  );
}

/** Upper case and spacing make no other note. */
function keyOf(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

function distinct(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map((note) => [keyOf(note.note), note])).values()];
}

/** Undefined for a record that is no note; what is in the file is shown, not trusted. */
function asNote({ note, kind }: Readonly<Record<string, unknown>>): Note | undefined {
  if (typeof note !== 'string' || note.trim() === '') return undefined;
  const known = noteKinds.find((one) => one === kind) ?? 'fact';
  return { note: visibleText(note.replace(/\s+/g, ' ')).slice(0, 400), kind: known };
}
