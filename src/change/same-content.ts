import { closeSync, constants, openSync, readSync } from 'node:fs';

const pieceBytes = 1024 * 1024;
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether two regular files hold the same bytes; reads piece by piece and stops at the first difference. */
export function sameContent(one: string, other: string): boolean {
  const left = openSync(one, flags);
  try {
    const right = openSync(other, flags);
    try {
      return samePieces(left, right);
    } finally {
      closeSync(right);
    }
  } finally {
    closeSync(left);
  }
}

function samePieces(left: number, right: number): boolean {
  const [a, b] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  for (let at = 0; ; ) {
    const count = readSync(left, a, 0, pieceBytes, at);
    if (readSync(right, b, 0, Math.max(count, 1), at) !== count) return false;
    if (count === 0) return true;
    if (a.compare(b, 0, count, 0, count) !== 0) return false;
    at += count;
  }
}
