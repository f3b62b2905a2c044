import { join } from 'node:path';
import type { Invocation } from './shell.ts';

/** `auto`: where there is one; `require`: fails without one; `off`: never. */
export type SandboxMode = 'auto' | 'require' | 'off';

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** The workspace, real path; writable. */
  readonly root: string;
  /** Default true. */
  readonly network?: boolean;
  /**
   * True for a command that is only tried out: no network, no sockets of other programs below /run, and of the repository
   * only what lies in the workspace can be written.
   */
  readonly isolated?: boolean;
  /** Further folders that are writable, beside the workspace, its repository and the tools' caches. */
  readonly write?: readonly string[];
  /** Files and folders that can't be read at all. Asked at each command. */
  readonly hide?: () => readonly string[];
  /** The folder that commands see as /tmp, made when needed; without it each command has an empty one of its own. */
  readonly temp?: string;
}

/** What commands run in. `wrap` turns an invocation into one that is confined. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'seatbelt' | 'none';
  /** Why there is none. */
  readonly reason?: string;
  wrap(invocation: Invocation, cwd: string): Invocation;
}

/** Commands run as they are. */
export function none(reason: string): Sandbox {
  return { name: 'none', reason, wrap: (invocation) => invocation };
}

/** What package managers and compilers keep between runs. */
export function cacheFolders(home: string): readonly string[] {
  return ['.cache', '.npm', '.cargo/registry', 'go/pkg', '.gradle', '.m2'].map((name) => join(home, name));
}
