/**
 * Characters that the input can't hold as they are: it would turn tabs into blanks and drop control characters, and a
 * terminal would obey them, or hide or reorder what stands around them. Line ends stay, joiners within emoji and words,
 * and the code by which some terminals send a control character within a paste.
 */
const unfit =
  /[\u0000-\u0009\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\x1b(?!\[\d{1,3};5u)/g;
/** Behind it a private character stands for each of them. */
const base = 0xf0000;
const veiled = /[\u{f0000}-\u{fffff}]/gu;

/** The text with a private character, one column wide, for each unfit one. */
export function veil(text: string): string {
  return text.replace(unfit, (character) => String.fromCodePoint(base + character.charCodeAt(0)));
}

/** The text as it was. */
export function unveil(text: string): string {
  return text.replace(veiled, (character) => String.fromCharCode(character.codePointAt(0)! - base));
}

const tab = '\u{f0009}';

/** For drawing: a mark for each, as wide as the private character. */
export function drawVeiled(text: string, tabMark: string): string {
  return text.replace(veiled, (character) => (character === tab ? tabMark : '\ufffd'));
}
