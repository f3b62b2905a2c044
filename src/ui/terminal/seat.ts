import type { ApprovalOptions } from './approval-dialog.ts';
import type { Beside } from './live-lines.ts';
import type { Status } from './status-line.ts';

/** What a session does when keys ask for it, and what it tells of itself. */
export interface Seat {
  submit(text: string): void;
  /** Esc: the turn is to end. */
  abort(): void;
  /** Ctrl-c: ends what runs. False when nothing does. */
  interrupt(): boolean;
  quit(): void;
  /** What quitting would lose beside the input; undefined: nothing. */
  loss(): string | undefined;
  nextMode(): void;
  /** Mentions the image in the clipboard in the input. */
  pasteImage(): void;
  status(): Omit<Status, 'contextTokens' | 'cost'>;
  beside(): Beside;
  edit: ApprovalOptions['edit'];
  /** What a call that is done has changed; undefined where that is not known. */
  diffOf(callId: string): string | undefined;
}
