/** What a turn leaves behind, and how far it was verified. Printed, in `--json`, and in the exit code. */
export interface Receipt {
  readonly files: readonly ChangedFile[];
  /** Commands run since the last change, oldest first. */
  readonly commands: readonly RanCommand[];
  /** Sentences of the answer that claim passing tests or builds which no command since the last change shows. */
  readonly claims: readonly string[];
  /** False while a changed file's diff was not looked at or a claim has nothing behind it. */
  readonly verified: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly state: 'created' | 'modified' | 'deleted';
  /** SHA-256 of the content now; absent for a deleted file and one that may not be read. */
  readonly digest?: string;
  /** Whether a diff that showed this state was looked at; `exempt`: the file may not be read. */
  readonly diff: 'seen' | 'unseen' | 'exempt' | 'unchecked';
}

export interface RanCommand {
  readonly command: string;
  /** Null when it was killed or its end is unknown. */
  readonly exit: number | null;
}

export const emptyReceipt: Receipt = { files: [], commands: [], claims: [], verified: true };

/** The receipt in a few lines; empty when nothing was changed or claimed. */
export function renderReceipt(receipt: Receipt): string {
  const { files, commands, claims, verified } = receipt;
  if (files.length === 0 && claims.length === 0) return '';
  const lines = [
    `${files.length} ${files.length === 1 ? 'file' : 'files'} changed, ${verified ? 'verified' : 'NOT verified'}`,
  ];
  for (const { path, state, digest, diff } of files) {
    const seen = { seen: 'diff seen', unseen: 'diff NOT seen', exempt: 'not readable, exempt', unchecked: '' }[diff];
    lines.push(`  ${state} ${path}${digest ? ` ${digest.slice(0, 12)}` : ''}${seen ? ` (${seen})` : ''}`);
  }
  for (const { command, exit } of commands) lines.push(`  ran ${firstLine(command)} -> ${exit ?? 'no exit code'}`);
  for (const claim of claims) lines.push(`  claimed without a run that shows it: ${claim}`);
  return lines.join('\n');
}

function firstLine(command: string): string {
  const line = command.split('\n', 1)[0]!;
  return line.length < command.length || line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
