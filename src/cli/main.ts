import { CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { ToolError } from '../base/error.ts';
import { exitCodes } from './exit.ts';
import { createProgram, type Io, type Run } from './program.ts';
import { strayFault } from './stray-fault.ts';
import { UsageError } from './usage.ts';

/** Runs the command line and sets the exit code; nothing here ends the process while output is still on its way. */
export async function main(argv: readonly string[] = process.argv): Promise<void> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  const { stdin, stdout, stderr, env } = process;
  // The terminal is closed. Under `nohup` nothing writes to one, and what was to be ignored stays so.
  if (stdin.isTTY && stdout.isTTY) process.once('SIGHUP', () => interrupt.abort());
  const io: Io = { stdin, stdout, stderr, env, signal: interrupt.signal };
  // A reader that has seen enough (`| head`) ends the printing and nothing else: what runs is carried through.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  process.on('uncaughtException', (error) => strayFault(error, stderr));
  process.exitCode = await runCommandLine(argv, io);
}

/** One command line, from its text to its exit code. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  let chosen: Run | undefined;
  const choose = (run: Run): void => {
    chosen = run;
  };
  try {
    const program = createProgram(packageJson.version, io, choose);
    program.parse(argv);
    return chosen === undefined ? exitCodes.done : await chosen(io);
  } catch (error) {
    return report(error, io);
  }
}

function report(shown: unknown, io: Io): number {
  // `--help` and `--version` have said what they had to say.
  if (shown instanceof CommanderError) return exitCodes.done;
  const message = shown instanceof Error ? shown.message : String(shown);
  io.stderr.write(`benchdog: ${message}\n`);
  if (io.signal.aborted || (shown instanceof ToolError && shown.code === 'interrupted')) return exitCodes.interrupted;
  if (shown instanceof UsageError) {
    io.stderr.write('See benchdog --help.\n');
    return exitCodes.usage;
  }
  return shown instanceof ToolError && shown.code === 'invalid' ? exitCodes.usage : exitCodes.failed;
}
