import { scrubbedNames, unattended } from './environment.ts';
import { markInBash, markInSh } from './mark.ts';
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
  if (bash === undefined) return { file: '/bin/sh', args: ['-lc', `${markInSh}; ${command}`] };
  const back = cwd === undefined ? '' : `case $PWD in ${quoted(cwd)});; *) \\builtin cd -- ${quoted(cwd)};; esac; `;
  const steps = [withoutAliases, `\\set -- ${quoted(command)}`, `\\eval ${quoted(back + scrubText(bash))}`, run];
  return { file: bash, args: ['-lc', steps.join('; ')] };
}

/** One word of bash on one line, whatever `text` holds. */
function quoted(text: string): string {
  return `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

/** The outer shell joins the streams where the kernel orders them; the inner one sees the command untouched. */
function posix(command: string): Invocation {
  return { file: '/bin/sh', args: ['-c', `${markInSh}; exec /bin/sh -c "$1" 2>&1`, 'sh', command] };
}

/** `/d` skips AutoRun scripts; `/s` strips exactly the outer quotes. */
function windows(command: string): Invocation {
  return { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`] };
}

/**
 * What runs between the login profile and the command: it takes out secrets and settings that the profile brought back. Strict
 * mode makes the special built-ins win over functions of the same name, a backslash keeps aliases out, and the rest is read
 * when there are none any more. All of it is one line, the command a quoted word in it, so that bash counts the lines of
 * the command alone in what it reports.
 */
const withoutAliases =
  'POSIXLY_CORRECT=1; \\set +xv; \\trap - DEBUG; \\unset -f builtin shopt eval 2>/dev/null; ' +
  '\\builtin shopt -u expand_aliases';
/** The variable holds the command in a shell that was simply given it. */
const run = '\\eval "$BASH_EXECUTION_STRING"';

let cached: { readonly bash: string; readonly text: string } | undefined;

/**
 * It uses no variable, since a profile may have made it read-only: the names to look at are arguments, an empty one ends them, and
 * the command stands behind it. What a profile made read-only can't be taken out of this shell: it leaves one argument
 * more behind the command, which then gets a fresh shell.
 */
function scrubText(bash: string): string {
  if (cached?.bash === bash) return cached.text;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'];
  const names = letters.map((letter) => `"\${!${letter}@}"`).join(' ');
  const settings = Object.entries(unattended).map(([name, value]) => `${name}=${value}`);
  const steps = [
    `\\builtin shopt -s nocasematch; \\set -- ${names} '' "$1"`,
    `while case $1 in '') ! :;; esac; do case $1 in ${[...scrubbedNames, ...Object.keys(unattended)].join('|')}) ` +
      `\\unset -v "$1" 2>/dev/null || { \\export -n "$1"; \\set -- "$@" x; };; esac; \\shift; done; \\shift`,
    '\\unset -v BASH_EXECUTION_STRING 2>/dev/null || \\set -- "$@" x',
    `case $# in 1) ;; *) \\exec /usr/bin/env -u POSIXLY_CORRECT ${settings.join(' ')} ` +
      `${quoted(bash)} --noprofile --norc -c "$1" ${quoted(bash)};; esac`,
    `\\export ${settings.join(' ')}; \\builtin shopt -u nocasematch; \\unset -v POSIXLY_CORRECT`,
    markInBash,
    'BASH_EXECUTION_STRING=$1; \\set --',
  ];
  cached = { bash, text: steps.join('; ') };
  return cached.text;
}
