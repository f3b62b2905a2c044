import type { Writable } from 'node:stream';
import { visibleText } from '../base/visible.ts';
import { exitCodes } from './exit.ts';

/**
 * A promise or timer that failed while nobody waited for it. A plugin's is told as its failure, and the work goes on; a
 * fault of our own ends the program, since nobody knows what state it left.
 */
export function strayFault(error: unknown, stderr: Writable): void {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  const plugin = pluginIn(stack);
  if (plugin !== undefined) {
    stderr.write(visibleText(`benchdog: The plugin ${plugin} failed in the background: ${message}\n`));
    return;
  }
  stderr.write(visibleText(`benchdog: internal error, please report it: ${stack}\n`));
  process.exit(exitCodes.failed);
}

/** The name of the plugin whose code the stack goes through. */
function pluginIn(stack: string): string | undefined {
  return /[/\\]plugins[/\\]([^/\\\n]+)\.m?js:\d+/.exec(stack)?.[1];
}
