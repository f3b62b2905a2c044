import { CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { ToolError } from '../base/error.ts';
import { exitCodes } from './exit.ts';
import { createProgram, type Io, type Run } from './program.ts';
import { explainUsage, UsageError } from './usage.ts';

/** Runs the command line and sets the exit code; nothing here ends the process while output is still on its way. */
export async function main(argv: readonly string[] = process.argv): Promise<void> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  const { stdin, stdout, stderr, env } = process;
  const io: Io = { stdin, stdout, stderr, env, signal: interrupt.signal };
  // A reader that has seen enough (`| head`) is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await runCommandLine(argv, io);
}

async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  let chosen: Run | undefined;
  const program = createProgram(packageJson.version, (run) => {
    chosen = run;
  });
  try {
    program.parse(argv);
    return chosen === undefined ? exitCodes.done : await chosen(io);
  } catch (error) {
    return report(error, program, io);
  }
}

function report(error: unknown, program: ReturnType<typeof createProgram>, io: Io): number {
  const shown = error instanceof CommanderError ? explainUsage(error, program) : error;
  if (shown === undefined) return exitCodes.done;
  const message = shown instanceof Error ? shown.message : String(shown);
  io.stderr.write(`benchdog: ${message}\n`);
  if (io.signal.aborted) return exitCodes.interrupted;
  if (shown instanceof UsageError) {
    io.stderr.write('See benchdog --help.\n');
    return exitCodes.usage;
  }
  return shown instanceof ToolError && shown.code === 'invalid' ? exitCodes.usage : exitCodes.failed;
}
