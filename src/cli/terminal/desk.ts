import type { Agent } from '../../agent/agent.ts';
import type { App } from '../../app.ts';
import type { Model } from '../../model/model.ts';
import type { TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import type { AgentFlags, Io } from '../program.ts';
import type { OpenRun } from '../session.ts';
import type { Errands } from './errands.ts';
import type { ModeSwitch } from './mode-switch.ts';

/** A session at the terminal, as its commands work with it. */
export interface Desk {
  readonly io: Io;
  readonly ui: TerminalUi;
  readonly app: App;
  readonly run: OpenRun;
  readonly flags: AgentFlags;
  agent(): Agent;
  useModel(model: Model): void;
  readonly modes: ModeSwitch;
  readonly errands: Errands;
  /** Says something to the model, now or when the turn is over. */
  send(text: string): void;
  /** Ends this sitting: the program, or on to another session. */
  leave(next: Next): void;
  /** Tells the person something: Markdown, or a line. */
  say(markdown: string): void;
  note(text: string, style?: 'muted' | 'warn' | 'bad' | 'good'): void;
}

/** What comes after a sitting. */
export type Next =
  | { readonly type: 'quit'; readonly session?: string }
  /** Another session, or this one with other settings. */
  | { readonly type: 'sit'; readonly flags: AgentFlags };
