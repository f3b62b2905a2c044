/** Control characters, and characters that reorder or hide text. Tab and line feed are left alone. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text as a person may be shown it: nothing in it can move the cursor, reorder what is read or hide. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
