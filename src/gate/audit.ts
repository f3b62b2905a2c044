import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openLog } from '../base/log.ts';
import { readLog } from '../base/log-read.ts';
import { openStateMark, type StateMark } from '../base/state-file.ts';
import type { Decision, JudgedCall, Verdict } from './verdict.ts';

/** What became of a judged call. */
export interface AuditEntry {
  readonly callId: string;
  readonly session?: string;
  readonly call: JudgedCall;
  readonly verdict: Verdict;
  /** Who or what let it pass or stopped it: `rules`, `person`, `nobody`, `repeat guard`, … */
  readonly approver: string;
  readonly outcome: 'allowed' | 'denied';
  /** SHA-256, lower-case hex, of what was approved: the preview as shown. */
  readonly digest?: string;
}

/** One line of the audit log. `previous` ties it to the line before. */
export interface AuditRecord {
  readonly previous: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly callId: string;
  readonly session?: string;
  readonly tool: string;
  readonly subject: string;
  readonly decision: Decision;
  readonly by: string;
  readonly effects: readonly {
    readonly kind: string;
    readonly subject: string;
    readonly decision: Decision;
    readonly by: string;
  }[];
  readonly approver: string;
  readonly outcome: 'allowed' | 'denied';
  readonly digest?: string;
}

export interface AuditOptions {
  /** Masks secrets in everything that is written. */
  readonly mask?: (text: string) => string;
  readonly now?: () => Date;
}

/**
 * The audit log of a workspace: append-only, each line tied to the one before by its hash. The hash of the last one stands
 * in a file beside it, so that lines cut off at the end are missed.
 */
export interface Audit {
  add(entry: AuditEntry): void;
  close(): void;
}

export function openAudit(path: string, options: AuditOptions = {}): Audit {
  const log = openLog(path, { seal: (record, line) => ({ previous: hashOf(line), ...record }) });
  const mask = options.mask ?? ((text) => text);
  const now = options.now ?? (() => new Date());
  let mark: StateMark | undefined;
  return {
    add(entry) {
      // There from before the first record on, so that it is missed when it is gone.
      mark ??= openStateMark(markFile(path));
      const record = log.append(recordOf(entry, mask, now()));
      mark.write(hashOf(record));
    },
    close() {
      log.close();
      mark?.close();
    },
  };
}

function markFile(path: string): string {
  return `${path}.head`;
}

const maxSubject = 4000;
const maxEffects = 100;

function recordOf(
  entry: AuditEntry,
  mask: (text: string) => string,
  at: Date,
): Omit<AuditRecord, 'previous'> & Record<string, unknown> {
  const { callId, session, call, verdict, approver, outcome, digest } = entry;
  const short = (text: string) => mask(text).slice(0, maxSubject);
  return {
    at: at.toISOString(),
    callId: short(callId),
    ...(session === undefined ? {} : { session }),
    tool: call.tool,
    subject: short(call.subject),
    decision: verdict.decision,
    by: short(verdict.by),
    effects: verdict.effects
      .slice(0, maxEffects)
      .map(({ kind, subject, decision, by }) => ({ kind, subject: short(subject), decision, by: short(by) })),
    approver: short(approver),
    outcome,
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The hash that ties a line to the one before it; of nothing for the first. */
function hashOf(line: string | undefined): string {
  return createHash('sha256')
    .update(line ?? '')
    .digest('hex');
}

/** The records of an audit log, and the places where its chain is broken. */
export interface AuditReading {
  readonly records: readonly AuditRecord[];
  /** A sentence for each place; empty when nothing was changed, removed or put in. */
  readonly broken: readonly string[];
}

/**
 * Reads and verifies an audit log. Whoever can write to both files can make them agree; against that, note `head`
 * somewhere else.
 */
export function readAudit(path: string): AuditReading & { readonly head: string } {
  // Read first: what another process adds meanwhile is then no trouble.
  const mark = readMark(path);
  let seen = mark === hashOf(undefined);
  const records: AuditRecord[] = [];
  const broken: string[] = [];
  let line: string | undefined;
  let number = 0;
  for (const item of readLog(path)) {
    number += 1;
    if (item.type === 'damage') {
      broken.push(`record ${number}: ${item.text}`);
      continue;
    }
    const record = item.value as unknown as AuditRecord;
    if (record.previous !== hashOf(line)) {
      broken.push(
        `record ${number} (call ${record.callId}) does not follow the one before it: a record was changed, removed or put in.`,
      );
    }
    records.push(record);
    line = item.line;
    if (mark !== undefined) seen ||= hashOf(line) === mark;
  }
  if (!seen && (mark !== undefined || records.length > 1)) broken.push(mark === undefined ? noMark : cutOff);
  return { records, broken, head: hashOf(line) };
}

const noMark = 'the note of the last record is missing: records may have been cut off at the end.';
const cutOff = 'the record that was written last is not there: records were cut off at the end, or changed.';

/** The hash of the record written last; undefined when nothing was noted. A process may have ended between the two. */
function readMark(path: string): string | undefined {
  try {
    const text = readFileSync(markFile(path), 'latin1');
    return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
