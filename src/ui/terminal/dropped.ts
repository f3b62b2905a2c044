const start = '\x1b[200~';
const end = '\x1b[201~';

/** One path as terminals write a file that is dropped on them: quoted, with escaped blanks, or as an address. */
const path = /'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s\\'"])+)/y;
const image = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;
const mostCharacters = 8192;

/**
 * A paste that is nothing but paths of images, as mentions: `'/tmp/a b.png'` becomes `@"/tmp/a b.png"`. Undefined for any
 * other text.
 */
export function droppedImages(sequence: string): string | undefined {
  if (!sequence.startsWith(start) || !sequence.endsWith(end) || sequence.length > mostCharacters) return undefined;
  const text = sequence.slice(start.length, -end.length).trim();
  const paths = pathsIn(text);
  if (paths === undefined || paths.length === 0 || !paths.every(isImagePath)) return undefined;
  return `${paths.map((one) => (/[\s\\]/.test(one) ? `@"${one}"` : `@${one}`)).join(' ')} `;
}

function pathsIn(text: string): readonly string[] | undefined {
  const paths: string[] = [];
  for (let at = 0; at < text.length; ) {
    path.lastIndex = at;
    const found = path.exec(text);
    if (found === null) return undefined;
    const [whole, single, doubled, bare] = found;
    paths.push(single ?? doubled ?? unescaped(bare!));
    at += whole.length;
    const gap = /^[ \t]+/.exec(text.slice(at))?.[0].length ?? 0;
    if (at < text.length && gap === 0) return undefined;
    at += gap;
  }
  return paths;
}

/** On Windows a backslash parts folders. */
function unescaped(text: string): string {
  return process.platform === 'win32' ? text : text.replaceAll(/\\(.)/g, '$1');
}

/** A whole path: a bare word such as `logo.png` is text. */
function isImagePath(text: string): boolean {
  return /^(?:\/|~\/|file:\/\/|[A-Za-z]:[\\/]|\\\\)/.test(text) && image.test(text) && !text.includes('"');
}
