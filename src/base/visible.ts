/**
 * Control characters, and characters that reorder or hide text or can't be seen themselves: bidirectional marks, joiners,
 * fillers, tags. Tab and line feed are left alone.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5/gu;

/** Text as a person may be shown it: nothing in it can move the cursor, reorder what is read or hide. */
export function visibleText(text: string): string {
  return text.replace(hidden, escaped);
}

/** The same for sentences: joiners stay where emoji and scripts are written with them. */
export function visibleProse(text: string): string {
  return text.replace(hidden, (character, at: number) => (joins(text, character, at) ? character : escaped(character)));
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

const emojiBefore = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const emojiAfter = /^\p{Extended_Pictographic}/u;
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u;

function joins(text: string, character: string, at: number): boolean {
  if (character !== '\u200c' && character !== '\u200d') return false;
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + 1, at + 3);
  if (character === '\u200d' && emojiBefore.test(before) && emojiAfter.test(after)) return true;
  return joining.test(before.slice(-1)) && joining.test(after.slice(0, 1));
}

/** The same for a name in a line of its own: it has no second line and no columns. */
export function visibleName(name: string): string {
  return visibleText(name).replace(/[\t\n]/g, (char) => (char === '\t' ? '\\t' : '\\n'));
}

/** A character that a reader takes for another one. */
export interface Lookalike {
  readonly character: string;
  /** `U+0430` */
  readonly code: string;
  /** The word it stands in. */
  readonly word: string;
}

/** Letters of scripts that have shapes in common with Latin, full-width and mathematical ones, and unusual spaces. */
const suspicious =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uff01-\uff5e\u{1d400}-\u{1d7ff}\u2010-\u2015\u2212\u2024\u2044\u2215\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const mostLookalikes = 8;

/**
 * Characters in a command or a name that look like ASCII ones, in words that have ASCII ones beside them: where both stand
 * together, one of them is likely to be read for what it is not. At most eight.
 */
export function lookalikesIn(text: string): readonly Lookalike[] {
  const found: Lookalike[] = [];
  for (const word of text.split(/[ \t\n]+/)) {
    if (found.length >= mostLookalikes) break;
    const character = suspicious.exec(word)?.[0];
    if (character === undefined || !/[!-~]/.test(word)) continue;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    found.push({ character, code: `U+${code}`, word });
  }
  return found;
}
