import type { Model } from '../model/model.ts';
import type { ToolState } from '../tool/state.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { JournalView } from './changed-files.ts';
import type { Gate } from './gate.ts';
import type { Interrupter } from './interrupt.ts';
import type { OutputCheck } from './output.ts';
import type { PromptParts } from './prompt.ts';

/** All that a turn works with; built once for a session by the caller. */
export interface Agent {
  readonly model: Model;
  readonly gate: Gate;
  readonly workspace: Workspace;
  /** The same state the gate gives its calls: todo list, shown diffs. */
  readonly state: ToolState;
  /** Asked before each step, so that what is live in it is fresh. */
  instructions(): PromptParts;
  /** A tool that has nothing to work on yet: the model is not told of it, since each costs bytes on every request. */
  idle?(tool: string): boolean;
  readonly limits: Limits;
  readonly checks: Checks;
  /** Tells what a call committed; without it a change that was put back still counts as one. */
  readonly journal?: JournalView;
  /** Waiting between tries; tests shorten it. */
  readonly retry?: RetryPolicy;
  /** The final answer has to satisfy this. */
  readonly output?: OutputCheck;
}

/** Per turn. Reaching one ends the turn with a hand-over and exit code 5. */
export interface Limits {
  readonly maxSteps: number;
  /** Seconds. */
  readonly maxTime?: number;
  /** US dollars; needs a model with a price. */
  readonly maxCost?: number;
}

/** Finish checks. */
export interface Checks {
  /** A changed file's diff has to be looked at. */
  readonly diffs: boolean;
  /** Claims of passing tests or builds need a green run since the last change. */
  readonly claims: boolean;
  /** How often the model is reminded before the turn ends unverified. */
  readonly maxNudges: number;
}

export interface RetryPolicy {
  readonly attempts: number;
  /** Milliseconds before the second try; doubles with each. */
  readonly base: number;
}

export interface TurnContext {
  readonly signal: AbortSignal;
  /** Stops running commands without ending the turn. */
  readonly interrupter?: Interrupter;
}
