import { isKeyRelease, type KeyId, matchesKey } from '@earendil-works/pi-tui';

/** Is this sequence that key? `ctrl+c`, `shift+tab`, `escape`, `a`. */
export function isKey(sequence: string, ...keys: readonly KeyId[]): boolean {
  return !isKeyRelease(sequence) && keys.some((key) => matchesKey(sequence, key));
}

/** Some terminals tell when a key is let go, too; nobody here wants to know. */
export function isRelease(sequence: string): boolean {
  return isKeyRelease(sequence);
}
