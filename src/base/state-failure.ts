import { asToolError, systemCode, ToolError } from './error.ts';

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'there is no permission to write there',
  EPERM: 'the system does not permit it',
  // What making a folder in a read-only or missing place ends in.
  ENOENT: 'it is not there and can not be made',
  ENOTDIR: 'a file stands where it needs a folder',
  EEXIST: 'a file stands where it needs a folder',
  EIO: 'the disk reported an error',
};

/**
 * A failure to write our own state (journal, audit log), in words for whoever must mend it: which folder, what is wrong,
 * what to do. Anything but such a system error stays what it is.
 */
export function explainStateFailure(home: string, thrown: unknown): ToolError {
  const meaning = meanings[systemCode(thrown) ?? ''];
  if (thrown instanceof ToolError || meaning === undefined) return asToolError(thrown);
  const text =
    `The state folder ${home} can't be written: ${meaning}. Nothing is done without a journal and an audit log, so nothing was. ` +
    'Mend that, or name another folder in BENCHDOG_HOME.';
  return new ToolError('failed', text, { cause: thrown });
}
