import { systemCode, ToolError } from '../base/error.ts';

/**
 * A system error about a file as the reader needs it: what is wrong, with the path as it was asked for. A `ToolError`
 * stays as it is; so does what is no system error.
 */
export function fileError(error: unknown, given: string): unknown {
  if (error instanceof ToolError) return error;
  const code = systemCode(error);
  const [kind, text] = describe(code, given) ?? [];
  if (kind !== undefined && text !== undefined) return new ToolError(kind, text, { cause: error });
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  // The system's text names our handle, not the file.
  const reason = (error as Error).message.replace(/^[A-Z0-9]+: /, '').replace(/, \w+( '.*)?$/s, '');
  return new ToolError('failed', `${given}: ${reason} (${code}).`, { cause: error });
}

function describe(code: string | undefined, given: string): [ToolError['code'], string] | undefined {
  switch (code) {
    case 'ENOENT':
      return ['missing', `No such file: ${given}`];
    case 'ENOTDIR':
      return ['missing', `No such file: ${given} (a name on the way is a file, not a folder).`];
    case 'EACCES':
    case 'EPERM':
      return ['failed', `No permission for ${given}: the system refuses the user who runs this.`];
    case 'ELOOP':
      return ['conflict', `path is not a regular file: ${given} is a symbolic link.`];
    case 'ENXIO':
      return ['conflict', `path is not a regular file: ${given} is a pipe, a socket or a device.`];
    case 'EAGAIN':
      return ['conflict', `path is not a regular file: reading ${given} would wait for data that may never come.`];
    case 'ENAMETOOLONG':
      return ['invalid', `path can't be used: a name in ${given} is longer than the file system allows.`];
    case 'EMFILE':
    case 'ENFILE':
      return [
        'failed',
        `Too many open files to open ${given}: wait for running calls, or raise the limit (ulimit -n).`,
      ];
    default:
      return undefined;
  }
}
