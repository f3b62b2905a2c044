import * as z from 'zod';

const longest = 32 * 1024;

/** Text to search for: not empty, on one line of a command, short enough for one. */
export function searchText(field: string): z.ZodType<string> {
  return z
    .string()
    .refine((text) => text !== '', `${field} is required: send what to search for`)
    .refine((text) => !text.includes('\0'), 'holds a NUL character, which no text file does')
    .refine((text) => text.length <= longest, `is too long, at most ${longest} characters`);
}
