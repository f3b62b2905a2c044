import { scrubbedNames, unattended } from './environment.ts';
import { findProgram } from './program.ts';

/** A program with its arguments, ready to start. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  /** To be called when all of it has ended; what it answers is for the reader of the result. */
  readonly after?: () => readonly string[];
}

/**
 * How a command text is started.
 *
 * - `login`: a login bash (`cmd /c` on Windows, `sh -l` where there is no bash), scrubbed after its profile
 * - `posix`: `/bin/sh -c`, both output streams in one
 */
export type ShellKind = 'login' | 'posix';

/** Which shell a command text is written for on this machine. */
export const shellName: 'bash' | 'cmd' = process.platform === 'win32' ? 'cmd' : 'bash';

/** @param cwd where the command is to run, wherever a login profile went. */
export function shellInvocation(kind: ShellKind, command: string, cwd?: string): Invocation {
  if (process.platform === 'win32') return windows(command);
  if (kind === 'posix') return posix(command);
  const bash = findProgram('bash');
  if (bash === undefined) return { file: '/bin/sh', args: ['-lc', command] };
  const back = cwd === undefined ? '' : `case $PWD in ${quoted(cwd)});; *) \\builtin cd -- ${quoted(cwd)};; esac; `;
  const { before, after } = scrubText(bash);
  return { file: bash, args: ['-lc', `${before}\n${back}${after}\n${command}`] };
}

/** One word of bash on one line, whatever `text` holds. */
function quoted(text: string): string {
  return `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

/** The outer shell joins the streams where the kernel orders them; the inner one sees the command untouched. */
function posix(command: string): Invocation {
  return { file: '/bin/sh', args: ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', command] };
}

/** `/d` skips AutoRun scripts; `/s` strips exactly the outer quotes. */
function windows(command: string): Invocation {
  return { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`] };
}

interface Scrub {
  readonly before: string;
  readonly after: string;
}

let cached: (Scrub & { readonly bash: string }) | undefined;

/**
 * Two lines of bash that run between the login profile and the command: they take out secrets and settings that the profile
 * brought back. Strict mode makes the special built-ins win over functions of the same name, a backslash keeps aliases out,
 * and the second line is read when there are none any more. They use no variable, since a profile may have made it read-only.
 * What a profile made read-only can't be taken out of this shell: it leaves an empty name at the end of the list, and
 * then the command gets a fresh shell.
 */
function scrubText(bash: string): Scrub {
  if (cached?.bash === bash) return cached;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'];
  const names = letters.map((letter) => `"\${!${letter}@}"`).join(' ');
  const settings = Object.entries(unattended).map(([name, value]) => `${name}=${value}`);
  const before =
    'POSIXLY_CORRECT=1; \\trap - DEBUG; \\unset -f builtin shopt 2>/dev/null; \\builtin shopt -u expand_aliases';
  const again =
    `\\exec /usr/bin/env -u POSIXLY_CORRECT ${settings.join(' ')} ` +
    `'${bash}' --noprofile --norc -c "\${BASH_EXECUTION_STRING#*$'\\n'*$'\\n'}"`;
  const loop =
    `\\builtin shopt -s nocasematch; \\set -- ${names}; while case $# in 0) ! :;; esac; do ` +
    `case $1 in ${[...scrubbedNames, ...Object.keys(unattended)].join('|')}) ` +
    `\\unset -v "$1" 2>/dev/null || { \\export -n "$1"; \\set -- "$@" ''; };; '') ${again};; esac; \\shift; done`;
  const give = `\\export ${settings.join(' ')}; \\builtin shopt -u nocasematch; \\unset -v POSIXLY_CORRECT`;
  cached = { bash, before, after: `${loop}; ${give}` };
  return cached;
}
