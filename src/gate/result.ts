import type { ErrorCode } from '../base/error.ts';
import type { JsonSchema } from '../base/schema.ts';
import type { ChangeSummary } from '../change/change.ts';
import type { Progress, ToolSet } from '../tool/tool.ts';
import type { Approver } from './approver.ts';
import type { AuditEntry } from './audit.ts';

/** What a call comes back as. Success and failure share one shape; nothing is thrown. */
export type ToolResult =
  | { readonly ok: true; readonly text: string; readonly changes: readonly ChangeSummary[] }
  | { readonly ok: false; readonly code: ErrorCode; readonly text: string };

export interface CallRequest {
  /** The model's id of the call, or one that the caller makes; it goes into the journal. */
  readonly id: string;
  readonly tool: string;
  /** JSON text as the model sent it, or the parsed value. */
  readonly args: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  emit?(progress: Progress): void;
  /** Who is asked about this call, instead of the gate's own approver. */
  readonly approver?: Approver;
  /** Called once after every check, just before something is committed or run. */
  onStart?(kind: 'change' | 'action'): void | Promise<void>;
}

/** A tool as it is offered to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly set?: ToolSet;
  readonly readOnly: boolean;
}

/** One decided call, for the audit log. */
export type Decided = Omit<AuditEntry, 'session'>;
