import { ToolError } from '../base/error.ts';

/** One entry of `mcpServers`: a program to start, or a server to reach. */
export interface McpServerConfig {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An entry that is ready to use. */
export type McpServer =
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly env: Variables }
  | { readonly type: 'http'; readonly url: URL; readonly headers: Variables };

type Variables = Readonly<Record<string, string>>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads an entry. `${NAME}` and `${NAME:-default}` in its texts stand for our environment's variables, so that a token need
 * not be written into a file. Throws `invalid` that says what is wrong.
 */
export function readMcpServer(config: McpServerConfig, env: Environment): McpServer {
  const { command, url } = config;
  if (command !== undefined && url !== undefined) throw wrong('has both "command" and "url"; give one of them');
  const filled = (text: string) => fill(text, env);
  if (command !== undefined) {
    if (config.headers !== undefined) throw wrong('has "headers", which only a server with "url" takes');
    const args = (config.args ?? []).map(filled);
    return { type: 'stdio', command: filled(command), args, env: mapValues(config.env, filled) };
  }
  if (url === undefined) throw wrong('has neither "command" nor "url"');
  if (config.args !== undefined || config.env !== undefined) {
    throw wrong('has "args" or "env", which only a server with "command" takes');
  }
  return { type: 'http', url: parseUrl(filled(url)), headers: mapValues(config.headers, filled) };
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

function fill(text: string, env: Environment): string {
  return text.replace(variable, (_, name: string, otherwise: string | undefined) => {
    const value = env[name] || otherwise;
    if (value === undefined) throw wrong(`needs the environment variable ${name}, which is not set`);
    return value;
  });
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw wrong(`has the url ${JSON.stringify(text)}, which is no http or https address`);
}

function mapValues(record: Variables | undefined, change: (text: string) => string): Variables {
  return Object.fromEntries(Object.entries(record ?? {}).map(([name, value]) => [name, change(value)]));
}

/** Its text follows the server's name. */
function wrong(problem: string): ToolError {
  return new ToolError('invalid', problem);
}
