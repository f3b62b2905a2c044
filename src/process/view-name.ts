import { randomBytes } from 'node:crypto';
import { type Holder, holderText, parseHolder } from '../base/lock-holder.ts';

/** A name for something that belongs to this process and is to be removed when it is gone: it says whose it is. */
export function viewName(): string {
  return holderText(randomBytes(6).toString('hex')).replaceAll(' ', '.');
}

/** Whose it is; undefined when it is none of these names. */
export function viewOwner(name: string): Holder | undefined {
  return parseHolder(name.replaceAll('.', ' '));
}
