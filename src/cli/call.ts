import { randomUUID } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import type { App } from '../app.ts';
import { suggest } from '../base/suggest.ts';
import { visibleText } from '../base/visible.ts';
import type { ToolResult } from '../gate/gateway.ts';
import type { Progress } from '../tool/tool.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { terminalApprover } from './terminal-approver.ts';
import { UsageError } from './usage.ts';
import { withApp } from './with-app.ts';

/** `benchdog call TOOL [JSON | -]` */
export async function runCall(io: Io, tool: string, args: string | undefined, flags: Flags): Promise<number> {
  const json = args === '-' ? await readAll(io.stdin) : (args ?? '');
  refuseBadJson(json);
  return withApp(
    io,
    { flags, session: `call-${randomUUID()}`, ephemeral: true, approver: terminalApprover(io) },
    (app) => callTool(io, app, tool, json, flags.json ?? false),
  );
}

async function callTool(io: Io, app: App, tool: string, json: string, asJson: boolean): Promise<number> {
  if (tool.startsWith('mcp__')) await app.extensions.connect(app.registry);
  const names = app.gate.definitions().map((one) => one.name);
  if (!names.includes(tool)) {
    const meant = suggest(tool, names);
    throw new UsageError(
      `there is no tool "${tool}" in the ${app.dialect.name} dialect.${meant ? ` Did you mean "${meant}"?` : ''} Tools: ${names.join(', ')}.`,
    );
  }
  const result = await app.gate.call(
    { id: randomUUID(), tool, args: json },
    { signal: io.signal, emit: (news) => showLive(io, news, asJson) },
  );
  print(io, result, asJson);
  return exitCodeOf(result);
}

/** A person at a terminal sees a command's output as it comes. */
function showLive(io: Io, news: Progress, asJson: boolean): void {
  if (!asJson && news.type === 'output' && io.stderr.isTTY) io.stderr.write(news.text);
}

function refuseBadJson(text: string): void {
  if (text.trim() === '') return;
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the arguments are not one JSON value: ${(error as Error).message}`);
  }
}

function print(io: Io, result: ToolResult, json: boolean): void {
  if (json) return void io.stdout.write(`${JSON.stringify(result)}\n`);
  const stream = result.ok ? io.stdout : io.stderr;
  // A file's name or text can't move a terminal's cursor; who reads a pipe gets it as it is.
  const text = stream.isTTY ? visibleText(result.text) : result.text;
  stream.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}

function exitCodeOf(result: ToolResult): number {
  if (result.ok) return exitCodes.done;
  if (result.code === 'denied') return exitCodes.denied;
  return result.code === 'interrupted' ? exitCodes.interrupted : exitCodes.failed;
}
