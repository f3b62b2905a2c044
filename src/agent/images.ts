import { sizeText } from '../base/size.ts';
import type { Image } from '../model/model.ts';
import { eventsOf, isUser, type SessionRecord, type StoredImage } from './record.ts';

/** Where a session keeps the bytes of its images, by digest. */
export interface ImageStore {
  /** Keeps them durably; resolves to their digest. */
  put(bytes: Uint8Array): Promise<string>;
  /** Undefined when they are gone. */
  get(digest: string): Uint8Array | undefined;
}

/** How images are shown to a model: where they are kept, and why it gets none, if it gets none. */
export interface Sight {
  readonly store: Pick<ImageStore, 'get'>;
  /** `the model takes no images` */
  readonly blind?: string | undefined;
}

/** What one request carries at most, as the strictest providers allow; older images are told by name then. */
const mostSent = 20;
const mostBytesSent = 16_000_000;

/** `[image shots/a.png 12 KB]` */
export function imageLabel({ name, size }: StoredImage, why = ''): string {
  return `[image ${name} ${sizeText(size)}${why === '' ? '' : `: not sent, ${why}`}]`;
}

/** Images as they go into a request: those that are sent, and a line for each that is not. */
export function showImages(
  records: readonly SessionRecord[],
  { store, blind }: Sight,
): (record: SessionRecord) => { readonly images: readonly Image[]; readonly lines: readonly string[] } {
  const newest = newestOf(records);
  const refusedUpTo = eventsOf(records, 'unseen').at(-1)?.id ?? 0;
  return (record) => {
    const images: Image[] = [];
    const lines: string[] = [];
    for (const image of isUser(record) ? (record.images ?? []) : []) {
      const why = blind ?? reasonOf(record.id <= refusedUpTo, newest.has(image));
      const bytes = why === undefined ? store.get(image.digest) : undefined;
      if (bytes !== undefined) images.push({ name: image.name, mediaType: image.mediaType, bytes });
      else lines.push(imageLabel(image, why ?? 'it is no longer kept'));
    }
    return { images, lines };
  };
}

function reasonOf(refused: boolean, isNew: boolean): string | undefined {
  if (refused) return 'the model provider refused it';
  return isNew ? undefined : 'it is too far back';
}

function newestOf(records: readonly SessionRecord[]): ReadonlySet<StoredImage> {
  const newest = new Set<StoredImage>();
  let bytes = 0;
  for (const image of records.flatMap((record) => (isUser(record) ? (record.images ?? []) : [])).reverse()) {
    bytes += image.size;
    if (newest.size >= mostSent || bytes > mostBytesSent) break;
    newest.add(image);
  }
  return newest;
}
