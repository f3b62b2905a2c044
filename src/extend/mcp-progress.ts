import type { ServerContext } from '@modelcontextprotocol/server';
import { clipLine } from '../base/text.ts';
import type { Progress } from '../tool/tool.ts';

const everyMs = 250;
const maxChars = 500;

/**
 * Tells a client that asked for it (a progress token in its request) how a call goes on: the last line of output, at
 * most four times a second. It also keeps clients from giving up on a long command.
 */
export function reportProgress({ mcpReq }: ServerContext): (news: Progress) => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  let count = 0;
  let last = 0;
  return ({ text }) => {
    const line = text.trimEnd().split('\n').at(-1) ?? '';
    if (line === '' || Date.now() - last < everyMs) return;
    last = Date.now();
    count += 1;
    const params = { progressToken: token, progress: count, message: clipLine(line, maxChars) };
    // A client that is gone has no use for it.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
