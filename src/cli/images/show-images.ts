import type { ImageStore } from '../../agent/images.ts';
import type { StoredImage } from '../../agent/record.ts';
import type { App } from '../../app.ts';
import { asToolError, ToolError } from '../../base/error.ts';
import { type ImageType, imageHeaderBytes, imageTypeOf } from '../../base/image-type.ts';
import { sizeText } from '../../base/size.ts';
import { type FilePath, resolvePath } from '../../workspace/path.ts';
import { readAt } from '../../workspace/read-at.ts';
import { type Mention, mentionsIn, namesImage } from './mentions.ts';

/** In base64 it is a third more, and the strictest providers take 5 MB. */
export const mostImageBytes = 3.5 * 1024 * 1024;
const mostImages = 20;
/** Pasted code may hold thousands of words that begin like a mention. */
const mostMentions = 200;

export interface ImageSource {
  readonly app: Pick<App, 'workspace' | 'policy' | 'registry'>;
  readonly store: ImageStore;
  /** Images that come from elsewhere, by the name they are mentioned with. */
  readonly pasted?: ReadonlyMap<string, Uint8Array>;
}

/** The images a prompt names, kept in the session; and why others that it names can't be shown, in sentences. */
export interface ShownImages {
  readonly images: readonly StoredImage[];
  readonly problems: readonly string[];
}

/**
 * Finds the images among the files that a prompt names with `@`. They are read as the model would read them: within the
 * workspace, and nothing that rules deny. Files that are no images are the model's to read.
 */
export async function showImages(text: string, source: ImageSource): Promise<ShownImages> {
  const images: StoredImage[] = [];
  const problems: string[] = [];
  for (const mention of mentionsIn(text).slice(0, mostMentions)) {
    try {
      const found = (await pastedImage(mention, source)) ?? (await imageIn(mention, source));
      if (found !== undefined && images.length >= mostImages) throw tooMany();
      if (found !== undefined) images.push(found);
    } catch (error) {
      if (namesImage(mention.trimmed)) problems.push(problemOf(mention, error));
    }
  }
  return { images, problems };
}

function tooMany(): ToolError {
  return new ToolError('invalid', `a prompt shows at most ${mostImages} images.`);
}

function problemOf({ trimmed }: Mention, error: unknown): string {
  const { code, message } = asToolError(error);
  if (code !== 'outside') return `@${trimmed} can't be shown: ${message}`;
  return `@${trimmed} can't be shown: it is outside the workspace. Copy it into the workspace, or paste the image itself with ctrl+v.`;
}

async function pastedImage({ trimmed }: Mention, { store, pasted }: ImageSource): Promise<StoredImage | undefined> {
  const bytes = pasted?.get(trimmed);
  return bytes === undefined ? undefined : keep(trimmed, bytes, store);
}

async function imageIn(mention: Mention, { app, store }: ImageSource): Promise<StoredImage | undefined> {
  const path = pathOf(mention, app);
  refuseDenied(path, app);
  const bytes = await app.workspace.open(path, (fd, stats) => {
    const type = imageTypeOf(readAt(fd, 0, imageHeaderBytes));
    if (type === undefined) return undefined;
    if (stats.size > mostImageBytes) throw tooLarge(stats.size);
    return readAt(fd, 0, stats.size);
  });
  if (bytes !== undefined) return keep(path.given, bytes, store);
  if (namesImage(path.given)) throw new ToolError('invalid', 'it holds no PNG, JPEG, GIF or WebP image.');
  return undefined;
}

/** The file of that name; where there is none, the sentence's own marks are taken off. */
function pathOf({ path, trimmed }: Mention, { workspace }: ImageSource['app']): FilePath {
  const whole = resolvePath(workspace.root, path, 'relative');
  return path === trimmed || workspace.stat(whole) !== undefined
    ? whole
    : resolvePath(workspace.root, trimmed, 'relative');
}

/** A person's word stands for what is asked about; a denial holds for everybody. */
function refuseDenied(path: FilePath, { policy, registry }: ImageSource['app']): void {
  const tool = registry.get('read_file') === undefined ? 'read' : 'read_file';
  const effects = [{ kind: 'read' as const, path }];
  const { decision, by } = policy.foresee({
    tool,
    readOnly: true,
    subject: path.given,
    effects,
    arguments: { path: path.given },
  });
  if (decision === 'deny') throw new ToolError('denied', `reading it is denied by ${by}.`);
}

async function keep(name: string, bytes: Uint8Array, store: ImageStore): Promise<StoredImage> {
  const type = checkedType(bytes);
  return { name, mediaType: type, size: bytes.length, digest: await store.put(bytes) };
}

/** The kind of an image that is small enough to be shown; throws `invalid` for anything else. */
export function checkedType(bytes: Uint8Array): ImageType {
  if (bytes.length > mostImageBytes) throw tooLarge(bytes.length);
  const type = imageTypeOf(bytes);
  if (type === undefined) throw new ToolError('invalid', 'it holds no PNG, JPEG, GIF or WebP image.');
  return type;
}

function tooLarge(size: number): ToolError {
  return new ToolError(
    'invalid',
    `it has ${sizeText(size)}, and an image may have ${sizeText(mostImageBytes)}. Make it smaller first.`,
  );
}
