/** The names a repository tracks, kept as the bytes git printed: a million of them cost what the text costs. */
export interface TrackedFiles {
  /** True when `path` (a byte string relative to the top) is tracked or is a folder with something tracked in it. */
  has(path: string): boolean;
}

/** @param names sorted by byte value, each ended by a NUL */
export function trackedFiles(names: Buffer): TrackedFiles {
  const starts = entryStarts(names);
  const nameAt = (entry: number) => names.subarray(starts[entry], names.indexOf(0, starts[entry]));
  const firstFrom = (key: Buffer): Buffer | undefined => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(nameAt(middle), key) < 0) low = middle + 1;
      else high = middle;
    }
    return low < starts.length ? nameAt(low) : undefined;
  };
  return {
    has(path) {
      const file = Buffer.from(path, 'latin1');
      if (firstFrom(file)?.equals(file)) return true;
      const folder = Buffer.from(`${path}/`, 'latin1');
      return firstFrom(folder)?.subarray(0, folder.length).equals(folder) === true;
    },
  };
}

function entryStarts(names: Buffer): Uint32Array {
  const starts: number[] = [];
  for (let at = 0; at < names.length; ) {
    starts.push(at);
    const end = names.indexOf(0, at);
    at = end < 0 ? names.length : end + 1;
  }
  return Uint32Array.from(starts);
}
