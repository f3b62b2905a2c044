/** Exit codes of every command, strictest first; several at once: the first in this list that applies. */
export const exitCodes = {
  interrupted: 130,
  usage: 2,
  failed: 1,
  limit: 5,
  denied: 3,
  unverified: 4,
  done: 0,
} as const;
