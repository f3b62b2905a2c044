/** A file name or path as it can be printed on one line: in JSON's quotes when it holds a line break or another control character. */
export function shownName(name: string): string {
  return /[\0-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name).replace(/\x7f/g, '\\u007f') : name;
}
