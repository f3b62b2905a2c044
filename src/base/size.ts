const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** A number of bytes for people: `1 byte`, `812 bytes`, `4 MB`, `52.4 MB`; a KB is 1024 bytes. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  // 1023.96 would be shown as 1024.0 of the smaller unit.
  while (value >= (unit === 0 ? 1024 : 1023.95) && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[unit]}`;
}
