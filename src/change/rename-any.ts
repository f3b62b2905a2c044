import { chmodSync, lstatSync, renameSync } from 'node:fs';
import { systemCode } from '../base/error.ts';

/** A folder that its owner may not write in gets another parent only while it is open: its `..` changes. rename(2) */
export function renameAny(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const stats = lstatSync(from, { throwIfNoEntry: false });
    if (systemCode(error) !== 'EACCES' || stats?.isDirectory() !== true || (stats.mode & 0o200) !== 0) throw error;
    chmodSync(from, stats.mode | 0o200);
    renameSync(from, to);
    chmodSync(to, stats.mode & 0o7777);
  }
}
