import { readFileSync } from 'node:fs';

/** A failing input from users of other tools, with the right result. See README.md in this folder. */
export interface Case {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly expect: string;
  readonly setup: readonly SetupStep[];
  readonly call: ToolCall;
  readonly check: readonly Check[];
  /** Further calls, each on a fresh setup, judged by `also_check` or, without it, by `check`. */
  readonly also?: readonly ToolCall[];
  readonly also_check?: readonly Check[];
  /** Calls that follow in the same session. */
  readonly then?: readonly ToolCall[];
  readonly then_check?: readonly Check[];
  readonly parallel_with?: readonly ToolCall[];
  readonly during_approval?: { readonly sh: string };
  readonly answer?: 'always';
  readonly config?: { readonly permission: Record<string, unknown> };
  readonly env?: Record<string, string>;
}

export interface SetupStep {
  readonly file?: string;
  readonly content?: string;
  readonly base64?: string;
  readonly mode?: string;
  readonly sh?: string;
}

export interface ToolCall {
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly raw_args?: string;
}

export type Check = Readonly<Record<string, unknown>>;

export const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL('./reports.json', import.meta.url), 'utf8'),
) as Case[];
