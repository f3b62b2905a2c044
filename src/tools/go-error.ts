import { asToolError, ToolError } from '../base/error.ts';

/**
 * An error in the words of `rousseau`: the tool's name in front, the path as it was sent, the system's own words.
 *
 * @param verb what was tried on a directory: `read`, or `open` to write it
 */
export function goError(tool: string, path: string, thrown: unknown, verb: 'read' | 'open' = 'read'): ToolError {
  const error = asToolError(thrown);
  const say = (text: string) => new ToolError(error.code, `${tool}: ${text}`, { cause: thrown });
  if (error.message.startsWith(`${tool}: `)) return error;
  if (error.code === 'missing') return say(`open ${path}: no such file or directory`);
  return / is a directory\.( |$)/.test(error.message) ? say(`${verb} ${path}: is a directory`) : say(error.message);
}

/** `work`, with what it throws in those words. */
export async function inGo<T>(tool: string, path: string, work: () => T | Promise<T>, verb?: 'open'): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw goError(tool, path, thrown, verb);
  }
}
