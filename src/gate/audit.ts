import { createHash } from 'node:crypto';
import { openLog } from '../base/log.ts';
import { readLog } from '../base/log-read.ts';
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

/** The audit log of a workspace: append-only, each line tied to the one before by its hash. */
export interface Audit {
  add(entry: AuditEntry): void;
  close(): void;
}

export function openAudit(path: string, options: AuditOptions = {}): Audit {
  const log = openLog(path, { seal: (record, line) => ({ previous: hashOf(line), ...record }) });
  const mask = options.mask ?? ((text) => text);
  const now = options.now ?? (() => new Date());
  return {
    add: (entry) => log.append(recordOf(entry, mask, now())),
    close: () => log.close(),
  };
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
    callId,
    ...(session === undefined ? {} : { session }),
    tool: call.tool,
    subject: short(call.subject),
    decision: verdict.decision,
    by: short(verdict.by),
    effects: verdict.effects
      .slice(0, maxEffects)
      .map(({ kind, subject, decision, by }) => ({ kind, subject: short(subject), decision, by: short(by) })),
    approver,
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

/** Reads and verifies an audit log. Lines cut off at the very end can only be found by comparing `head`. */
export function readAudit(path: string): AuditReading & { readonly head: string } {
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
  }
  return { records, broken, head: hashOf(line) };
}
