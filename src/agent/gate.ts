import type { ErrorCode } from '../base/error.ts';
import type { JsonSchema } from '../base/schema.ts';
import type { ChangeSummary } from '../change/change.ts';
import type { Approver } from '../gate/approver.ts';
import type { Progress } from '../tool/tool.ts';

/** The gate as the loop sees it: a call goes in as data, a result comes out; it never throws. */
export interface Gate {
  call(request: GateRequest, options: GateOptions): Promise<ToolResult>;
  definitions(): readonly ToolDefinition[];
  /** A person said something: repeated calls are counted afresh. */
  personSpoke?(): void;
}

export interface GateRequest {
  readonly id: string;
  readonly tool: string;
  /** JSON text as the model wrote it, or a value. */
  readonly args: unknown;
}

export interface GateOptions {
  readonly signal: AbortSignal;
  emit(progress: Progress): void;
  /** Called once, just before the call first has an effect. */
  onStart?(kind?: StartKind): void;
  /** Who is asked for this call instead of the gate's own approver. */
  readonly approver?: Approver;
}

/** A change commits files; an action runs something. */
export type StartKind = 'change' | 'action';

export type ToolResult =
  | { readonly ok: true; readonly text: string; readonly changes: readonly ChangeSummary[] }
  | { readonly ok: false; readonly code: ErrorCode; readonly text: string };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly set?: string;
  readonly readOnly: boolean;
}
