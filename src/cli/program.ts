import { Command, Option } from 'commander';
import { suggest, unknownName } from '../base/suggest.ts';
import { completionScript, parseShell, type Shell, shells } from './completions.ts';
import { exitCodes } from './exit.ts';
import { agentOptions, commonOptions, namesOf, UsageError, withOptions } from './usage.ts';

/** What a command line asks for; every command answers with an exit code. */
export type Run = (io: Io) => Promise<number>;

/** The process as commands see it. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Common flags as parsed; `app.ts` turns them into settings. */
export interface Flags {
  readonly root?: string;
  readonly dialect?: string;
  readonly tools?: string;
  readonly approve?: string;
  readonly yolo?: boolean;
  readonly config?: string;
  readonly plan?: boolean;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly trust?: boolean;
  readonly json?: boolean;
}

export interface AgentFlags extends Flags {
  /** True without a value, or the prompt itself. */
  readonly print?: string | boolean;
  /** Line by line instead of a drawn screen. */
  readonly plain?: boolean;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly agent?: string;
  readonly maxSteps?: number;
  readonly maxCost?: number;
  readonly maxTime?: number;
  readonly outputSchema?: string;
  readonly continue?: boolean;
  readonly resume?: string;
  readonly mcp: boolean;
  readonly plugins: boolean;
  readonly skills: boolean;
  readonly memory: boolean;
  readonly instructions: boolean;
  readonly subagent: boolean;
}

/**
 * The one declaration of the command line: parser, `--help` and completions come from it. Parsing only chooses what to
 * run; a command's own code is loaded when it runs.
 */
export function createProgram(version: string, { stdout }: Pick<Io, 'stdout'>, choose: Choose): Command {
  const program = new Command('benchdog');
  program
    .description('A coding agent whose hands can be trusted.')
    .version(version, '--version')
    .argument('[prompt]', 'what to do; without it and with a terminal, an interactive session')
    .option('-p, --print [prompt]', 'headless: print the answer and end; the prompt from stdin if left out')
    .option('--json', 'with --print: one event per line')
    .enablePositionalOptions()
    .action((prompt: string | undefined, flags: AgentFlags) => {
      if (flags.print === undefined) refuseMisspelt(prompt, namesOf(program));
      choose(async (io) => (await import('./agent.ts')).runAgent(io, prompt, flags));
    });
  withOptions(program, [...commonOptions(), ...agentOptions()]).configureOutput({
    writeOut: (text) => stdout.write(text),
  });

  const add = (usage: string, description: string): Command =>
    withOptions(program.command(usage).description(description), commonOptions());

  add('call', 'one tool call by hand, through the gate')
    .argument('<tool>')
    .argument('[arguments]', 'a JSON object, or - for stdin')
    .option('--json', 'the result as JSON')
    .action((tool: string, args: string | undefined, _: unknown, command: Command) =>
      choose(async (io) => (await import('./call.ts')).runCall(io, tool, args, flagsOf(command))),
    );

  add('tools', 'the offered tools with set, effect and bytes')
    .option('--json', 'as JSON, with schemas')
    .action((_: unknown, command: Command) =>
      choose(async (io) => (await import('./tools.ts')).runTools(io, flagsOf(command))),
    );

  add('mcp', 'MCP server on stdio')
    .option('--http <address>', '[HOST:]PORT: streamable HTTP instead, with a bearer token')
    .action((_: unknown, command: Command) =>
      choose(async (io) => (await import('./mcp.ts')).runMcp(io, flagsOf(command))),
    );

  addPolicy(add, choose);
  addHistory(add, choose);
  addSessions(add, choose);
  addBeginnings(program, add, choose);

  withOptions(
    program.command('completions').description('a script that completes command lines; for your shell to read'),
    [],
  )
    .argument('<shell>', shells.join(', '), parseShell)
    .action((shell: Shell) =>
      choose(async () => {
        stdout.write(completionScript(program, shell));
        return exitCodes.done;
      }),
    );

  return program;
}

type Add = (usage: string, description: string) => Command;
type Choose = (run: Run) => void;

/** One word that is almost the name of a command is no prompt. */
function refuseMisspelt(prompt: string | undefined, commands: readonly string[]): void {
  if (prompt === undefined || !/^[a-z]+$/.test(prompt)) return;
  if (suggest(prompt, commands) !== undefined) throw new UsageError(unknownName('command', prompt, commands));
}

function addPolicy(add: Add, choose: Choose): void {
  const policy = add('policy', 'which rule decides a call; check the rules; read the audit log');
  const sub = (usage: string, description: string) =>
    withOptions(policy.command(usage).description(description).option('--json', 'as JSON'), commonOptions());
  sub('why', 'every effect of a call, the row that decides it, and what would change it')
    .argument('<tool>')
    .argument('[arguments]')
    .action((tool: string, args: string | undefined, _: unknown, command: Command) =>
      choose(async (io) => (await import('./policy.ts')).runWhy(io, tool, args, flagsOf(command))),
    );
  for (const [name, description] of [
    ['test', 'run the examples inside rules'],
    ['lint', 'find dead, shadowed and over-wide rows'],
    ['log', 'show and verify the audit log'],
  ] as const) {
    sub(name, description).action((_: unknown, command: Command) =>
      choose(async (io) => (await import('./policy.ts')).runPolicy(io, name, flagsOf(command))),
    );
  }
  sub('grants', 'what you allowed for good in this workspace').action((_: unknown, command: Command) =>
    choose(async (io) => (await import('./policy.ts')).runGrants(io, flagsOf(command))),
  );
  sub('revoke', 'take one of them back, or all')
    .argument('<grant>', 'its id, or all')
    .action((grant: string, _: unknown, command: Command) =>
      choose(async (io) => (await import('./policy.ts')).runRevoke(io, grant, flagsOf(command))),
    );
}

function addHistory(add: Add, choose: Choose): void {
  add('history', 'the journal of changes')
    .option('--json', 'as JSON')
    .action((_: unknown, command: Command) =>
      choose(async (io) => (await import('./history.ts')).runHistory(io, flagsOf(command))),
    );
  for (const [name, description] of [
    ['undo', 'put back the last change, the last N, or one by id'],
    ['redo', 'do again what was undone last'],
  ] as const) {
    add(name, description)
      .argument('[which]', 'a number of changes, or an id')
      .option('--json', 'as JSON')
      .action((which: string | undefined, _: unknown, command: Command) =>
        choose(async (io) => (await import('./history.ts')).runRevert(io, name, which, flagsOf(command))),
      );
  }
}

function addSessions(add: Add, choose: Choose): void {
  add('sessions', 'list sessions; show, fork or remove one')
    .argument('[action]', 'list, show, fork or rm', 'list')
    .argument('[id]')
    .option('--json', 'as JSON')
    .action((action: string, id: string | undefined, _: unknown, command: Command) =>
      choose(async (io) => (await import('./sessions.ts')).runSessions(io, action, id, flagsOf(command))),
    );
}

/** What a new user runs first. */
function addBeginnings(program: Command, add: Add, choose: Choose): void {
  withOptions(
    program.command('tour').description('see it work: scripted model, real tools, throw-away repository'),
    [],
  ).action(() => choose(async (io) => (await import('./tour.ts')).runTour(io)));
  withOptions(program.command('login').description('choose a provider, store its key, list its models'), [
    new Option('--provider <name>', 'without a terminal: the provider; the key comes from stdin'),
    new Option('--base-url <url>', 'where it is, if not at its usual place'),
    new Option('--model <id>', 'without a terminal: the model to use from now on'),
  ]).action((_: unknown, command: Command) =>
    choose(async (io) => (await import('./login.ts')).runLogin(io, flagsOf(command))),
  );
  add('doctor', 'what was found on this machine, and unsafe settings')
    .option('--json', 'as JSON')
    .action((_: unknown, command: Command) =>
      choose(async (io) => (await import('./doctor.ts')).runDoctor(io, flagsOf(command))),
    );
}

/** Flags of a command and of those above it; the nearer wins, and rules add up. */
function flagsOf<T extends Flags>(command: Command): T {
  const line: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) line.unshift(at);
  const flags = Object.assign({}, ...line.map((one) => one.opts())) as T;
  const all = (key: 'allow' | 'deny') => line.flatMap((one) => (one.opts()[key] as string[] | undefined) ?? []);
  return { ...flags, allow: all('allow'), deny: all('deny') };
}
