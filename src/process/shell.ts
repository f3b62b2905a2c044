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

export function shellInvocation(kind: ShellKind, command: string): Invocation {
  if (process.platform === 'win32') return windows(command);
  if (kind === 'posix') return posix(command);
  const bash = findProgram('bash');
  if (bash === undefined) return { file: '/bin/sh', args: ['-lc', command] };
  return { file: bash, args: ['-lc', `${scrubText(bash)}\n${command}`] };
}

/** The outer shell joins the streams where the kernel orders them; the inner one sees the command untouched. */
function posix(command: string): Invocation {
  return { file: '/bin/sh', args: ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', command] };
}

/** `/d` skips AutoRun scripts; `/s` strips exactly the outer quotes. */
function windows(command: string): Invocation {
  return { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`] };
}

let cached: { readonly bash: string; readonly text: string } | undefined;

/**
 * Two lines of bash that run between the login profile and the command: they take out secrets and settings that the profile
 * brought back. Strict mode makes the special built-ins win over functions of the same name, a backslash keeps aliases out,
 * and the second line is read when there are none any more.
 * What a profile made read-only can't be taken out of this shell, so then the command gets a fresh one.
 */
function scrubText(bash: string): string {
  if (cached?.bash === bash) return cached.text;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'];
  const names = letters.map((letter) => `"\${!${letter}@}"`).join(' ');
  const settings = Object.entries(unattended).map(([name, value]) => `${name}=${value}`);
  const take =
    'POSIXLY_CORRECT=1; \\unset -f builtin shopt 2>/dev/null; \\builtin shopt -u expand_aliases; ' +
    '\\builtin shopt -s nocasematch; __benchdog=';
  const loop =
    `for __name in ${names}; do case $__name in ${[...scrubbedNames, ...Object.keys(unattended)].join('|')}) ` +
    '\\unset -v "$__name" 2>/dev/null || { \\export -n "$__name"; __benchdog=again; };; esac; done';
  const again =
    `case $__benchdog in again) \\exec /usr/bin/env -u POSIXLY_CORRECT ${settings.join(' ')} ` +
    `'${bash}' --noprofile --norc -c "\${BASH_EXECUTION_STRING#*$'\\n'*$'\\n'}";; esac`;
  const give = `\\export ${settings.join(' ')}; \\builtin shopt -u nocasematch; \\unset -v __name __benchdog POSIXLY_CORRECT`;
  cached = { bash, text: `${take}\n${[loop, again, give].join('; ')}` };
  return cached.text;
}
