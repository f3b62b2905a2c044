/**
 * Why a call did not succeed. Part of the public face: scripts branch on it.
 *
 * - `invalid`: the arguments are wrong; nothing was looked at
 * - `outside`: a path leads out of the workspace
 * - `missing`: what the call names does not exist
 * - `conflict`: what is there does not fit the request (no match, several matches, already exists, not a regular file)
 * - `stale`: a file changed since it was read or since the change was approved
 * - `denied`: a rule, the guard or a person said no, or nobody could be asked
 * - `interrupted`: a person or a cancelled turn stopped it; effects may be partial for commands, never for changes
 * - `timeout`: a limit in time ended it
 * - `failed`: anything else that went wrong while carrying it out
 */
export const errorCodes = [
  'invalid',
  'outside',
  'missing',
  'conflict',
  'stale',
  'denied',
  'interrupted',
  'timeout',
  'failed',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The one error type tools and rooms throw; its message is written for the reader who must act on it. */
export class ToolError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
    this.code = code;
  }
}

/** Turns anything thrown into a `ToolError`, keeping a `ToolError` as it is. */
export function asToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  if (isAbort(thrown)) return new ToolError('interrupted', 'The call was cancelled.', { cause: thrown });
  return new ToolError('failed', messageOf(thrown), { cause: thrown });
}

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'something without a message was thrown';
  }
}

/** The `code` of a Node system error (`ENOENT`, `EACCES`, …), or undefined; that of a `ToolError` is none. */
export function systemCode(thrown: unknown): string | undefined {
  if (thrown instanceof ToolError) return undefined;
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}
