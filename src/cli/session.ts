import type { Session } from '../agent/record.ts';
import { type OpenedSession, openSession } from '../agent/session.ts';
import { expireSessions } from '../agent/session-list.ts';
import { findHome } from '../config/home.ts';
import { openRoot } from '../workspace/path.ts';
import type { Io } from './program.ts';

export interface SessionFlags {
  readonly root?: string;
  readonly continue?: boolean;
  readonly resume?: string;
}

/** A session that is open for one run. */
export interface OpenRun {
  readonly session: Session;
  /** What hides secrets in what is written from now on; known only when the workspace is open. */
  maskWith(mask: (text: string) => string): void;
  /** Removes sessions that nobody wrote to for longer than this many days; default 90. */
  expire(days: number | undefined): void;
}

/** Opens the session that the flags name; whoever does closes it. */
export function openRun(io: Pick<Io, 'env'>, flags: SessionFlags): OpenRun & { readonly warnings: readonly string[] } {
  const home = findHome(io.env).state;
  let mask = (text: string): string => text;
  const place = { home, root: openRoot(flags.root ?? '.').real, mask: (text: string) => mask(text) };
  const { session, warnings } = open(place, flags);
  return {
    session,
    warnings,
    maskWith: (better) => {
      mask = better;
    },
    expire: (days = 90) => void expireSessions(home, days),
  };
}

/** Opens the session that the flags name, says what had to be mended, and closes it whatever happens. */
export async function withSession(
  io: Io,
  flags: SessionFlags,
  use: (run: OpenRun) => Promise<number>,
): Promise<number> {
  const run = openRun(io, flags);
  for (const warning of run.warnings) io.stderr.write(`benchdog: ${warning}\n`);
  try {
    return await use(run);
  } finally {
    run.session.close();
  }
}

function open(place: Parameters<typeof openSession>[0], flags: SessionFlags): OpenedSession {
  if (flags.resume !== undefined) return openSession(place, { id: flags.resume });
  return openSession(place, flags.continue === true ? 'latest' : 'new');
}
