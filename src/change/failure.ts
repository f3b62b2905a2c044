import { asToolError, systemCode, ToolError } from '../base/error.ts';

/** What a system error means for someone who must act, by code. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'The file system is read-only.',
  EACCES: 'No permission to write there.',
  EPERM: 'The system does not permit it (the file may be immutable or owned by someone else).',
  EMFILE: 'Too many files are open in this process.',
  ENFILE: 'Too many files are open on this machine.',
  EFBIG: 'The file would become too large for this file system.',
  EBUSY: 'The file is in use by the system (it may be a mount point).',
  ETXTBSY: 'The file is a program that runs now.',
  EIO: 'The disk reported an error.',
  ENAMETOOLONG: 'A name is too long for this file system.',
  EISDIR: 'There is a directory of that name.',
  ENOTDIR: 'A part of the path is a file, no directory.',
  EXDEV:
    'The two places lie on different file systems or mounts, where no file is moved in one step: write the new file, then delete the old one.',
};

/** A folder we hold, which says nothing to a reader. */
const handle = /\/proc\/self\/fd\/\d+\//g;

/** Turns a failure into a `ToolError` that ends with the state things are in. */
export function explainFailure(thrown: unknown, state: string): ToolError {
  if (thrown instanceof ToolError) {
    const text = thrown.message.includes('Nothing was') ? thrown.message : `${thrown.message} ${state}`;
    return new ToolError(thrown.code, text, { cause: thrown });
  }
  const code = systemCode(thrown);
  const meaning = code === undefined ? undefined : meanings[code];
  const detail = asToolError(thrown).message.replace(handle, '');
  const text = meaning === undefined ? detail : `${meaning} (${detail})`;
  return new ToolError('failed', `${text} ${state}`, { cause: thrown });
}

/** For what fails before anything was touched. */
export function nothingChanged(thrown: unknown): never {
  throw explainFailure(thrown, 'Nothing was changed.');
}
