/** Deeper than the arguments of any tool; what walks over much more overflows the stack. */
const mostLevels = 200;

/** Whether JSON text is nested too deep to be worked with. Looks at brackets alone; the text need not be right. */
export function isTooDeep(json: string): boolean {
  if (json.length <= mostLevels) return false;
  let level = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at);
    else if (code === openSquare || code === openCurly) level += 1;
    else if (code === closeSquare || code === closeCurly) level -= 1;
    if (level > mostLevels) return true;
  }
  return false;
}

const [quote, backslash, openSquare, closeSquare, openCurly, closeCurly] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return json.length;
}
