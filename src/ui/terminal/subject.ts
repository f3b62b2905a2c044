import { shownLine } from './text.ts';

/** The argument that tells best what a call is about. */
const telling = ['command', 'path', 'pattern', 'query', 'description', 'question', 'note', 'name', 'ref', 'id', 'from'];

/** A call's arguments in one line: the telling one where there is one, else as they are. */
export function subjectOf(args: string): string {
  const value = parsed(args);
  if (value === undefined) return shownLine(args);
  const key = telling.find((name) => typeof value[name] === 'string');
  if (key !== undefined) return shownLine(value[key] as string);
  const { files } = value;
  if (Array.isArray(files)) return files.map((file) => shownLine(String((file as { path?: unknown }).path))).join(', ');
  return Object.keys(value).length === 0 ? '' : shownLine(args);
}

function parsed(args: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
