/** The beginning of an image of each kind, and then `size` bytes in all. */
function beginning(head: string, size: number): Buffer {
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(size)]).subarray(0, size);
}

export const png = (size = 64): Buffer => beginning('\x89PNG\r\n\x1a\n', size);
export const jpeg = (size = 64): Buffer => beginning('\xff\xd8\xff\xe0', size);
export const gif = (size = 64): Buffer => beginning('GIF89a', size);
export const webp = (size = 64): Buffer => beginning('RIFF\x10\x00\x00\x00WEBP', size);
