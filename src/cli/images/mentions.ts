import { fileURLToPath } from 'node:url';

/** A file that a prompt names: `@path`, `@"a path"`, `@file:///path`. */
export interface Mention {
  /** As it stands behind the `@`, quotes and escapes taken away. */
  readonly path: string;
  /** The same without what may be the sentence's own: a comma, a full stop, a closing bracket. */
  readonly trimmed: string;
}

const mention = /(?:^|[\s(])@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\"'])(?:\\.|[^\s\\])*))/g;

/** The files a prompt names, each once. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, doubled, single, bare] of text.matchAll(mention)) {
    const path = localPath(doubled ?? single ?? unescaped(bare!));
    found.set(path, { path, trimmed: bare === undefined ? path : path.replace(/[,.;:!?)\]}]+$/, '') });
  }
  return [...found.values()];
}

/** Is this a name that only an image has, one that no model takes included? */
export function namesImage(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i.test(path);
}

/** `file:///a%20b.png` is `/a b.png`. */
export function localPath(text: string): string {
  if (!text.startsWith('file://')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

/** Shells and terminals write a blank in a name as `\ `; on Windows a backslash parts folders. */
export function unescaped(text: string): string {
  return process.platform === 'win32' ? text : text.replaceAll(/\\(.)/g, '$1');
}
