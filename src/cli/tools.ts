import { nobody } from '../gate/approver.ts';
import type { OfferedTool } from '../gate/gateway.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { withApp } from './with-app.ts';

/** `benchdog tools [--json]`: what each tool costs on every request. */
export async function runTools(io: Io, flags: Flags): Promise<number> {
  return withApp(io, { flags, session: 'tools', approver: nobody }, async (app) => {
    const tools = app.gate.definitions();
    io.stdout.write(flags.json ? `${JSON.stringify(asJson(app.dialect.name, tools))}\n` : asTable(tools));
    return exitCodes.done;
  });
}

/** Bytes of a tool as providers are sent it: name, description and schema as JSON. */
export function wireBytes({ name, description, input }: OfferedTool): number {
  return Buffer.byteLength(JSON.stringify({ name, description, parameters: input }));
}

/** Total bytes per set; tools without a set count as `session`. */
export function bytesPerSet(tools: readonly OfferedTool[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const tool of tools) sum[tool.set ?? 'session'] = (sum[tool.set ?? 'session'] ?? 0) + wireBytes(tool);
  return sum;
}

function asJson(dialect: string, tools: readonly OfferedTool[]) {
  return {
    dialect,
    tools: tools.map(({ name, description, input, set, readOnly }) => ({
      name,
      set: set ?? null,
      effect: effectOf(readOnly),
      bytes: wireBytes({ name, description, input, readOnly }),
      description,
      schema: input,
    })),
    bytes: { ...bytesPerSet(tools), total: tools.reduce((sum, tool) => sum + wireBytes(tool), 0) },
  };
}

function effectOf(readOnly: boolean): string {
  return readOnly ? 'reads' : 'changes';
}

function asTable(tools: readonly OfferedTool[]): string {
  const rows = tools.map((tool) => [tool.name, tool.set ?? '-', effectOf(tool.readOnly), String(wireBytes(tool))]);
  const lines = [['tool', 'set', 'effect', 'bytes'], ...rows].map(
    ([name, set, effect, bytes]) => `${name!.padEnd(20)}${set!.padEnd(12)}${effect!.padEnd(10)}${bytes!.padStart(6)}`,
  );
  const total = tools.reduce((sum, tool) => sum + wireBytes(tool), 0);
  const sets = Object.entries(bytesPerSet(tools)).map(([set, bytes]) => `${set} ${bytes}`);
  return `${lines.join('\n')}\n\n${tools.length} tools, ${total} bytes on every request (${sets.join(', ')})\n`;
}
