import { plural } from '../base/text.ts';
import type { ToolContext } from '../tool/tool.ts';

/** How often a search that goes on tells of itself, in milliseconds. */
const interval = 500;

/** Runs a search and tells now and then how far it is: also while it finds nothing, for whoever waits. */
export async function withProgress<T>(context: ToolContext, hits: () => number, search: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000);
    context.emit({ type: 'status', text: `${plural(hits(), 'hit')} so far, ${seconds} s` });
  }, interval);
  try {
    return await search();
  } finally {
    clearInterval(timer);
  }
}
