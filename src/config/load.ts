import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';
import type { Row } from '../gate/rule.ts';
import { type ConfigDocument, parseConfig } from './document.ts';
import type { Home } from './home.ts';
import { rowsOfFile } from './rows.ts';
import { type Config, configSchema, userOnlyKeys } from './schema.ts';

export interface LoadOptions {
  /** The workspace folder. */
  readonly root: string;
  readonly home: Home;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--config FILE`: the user's own file, trusted. */
  readonly file?: string;
  /** `--trust`: the project's file applies in full. */
  readonly trust?: boolean;
}

/** The settings in force before flags, with the rows of every layer in order. */
export interface Loaded {
  readonly config: Config;
  readonly rows: readonly Row[];
  readonly trusted: boolean;
  /** The files that were read, user before project. */
  readonly files: readonly string[];
  /** What was ignored, and why; one line each. */
  readonly notices: readonly string[];
}

/** Later wins: user file, then project file, then environment. A project that is not trusted can only make things stricter. */
export function loadConfig(options: LoadOptions): Loaded {
  const own = join(options.home.config, 'config.json');
  const user = options.file === undefined ? readDocument(own) : readConfigFile(options.file);
  const project = readDocument(join(options.root, '.benchdog', 'config.json'));
  const trusted = options.trust === true || isTrusted(options.root, user?.value.trustedFolders ?? []);
  const notices: string[] = [];
  const fromProject = project === undefined ? {} : projectConfig(project, trusted, notices);
  const config = {
    ...user?.value,
    ...merged(user?.value, fromProject),
    ...shadowOf(user),
    ...fromEnvironment(options.env),
  };
  return {
    config,
    trusted,
    notices,
    files: [user, project].flatMap((document) => (document === undefined ? [] : [document.file])),
    rows: [
      ...(user === undefined ? [] : rowsOfFile(user, false)),
      ...(project === undefined ? [] : rowsOfFile(project, !trusted)),
    ],
  };
}

/** A configuration file that has to be there. Throws `invalid`, naming file, line and key. */
export function readConfigFile(file: string): ConfigDocument<Config> {
  const document = readDocument(file);
  if (document !== undefined) return document;
  throw new ToolError('invalid', `The configuration file ${file} does not exist.`);
}

function readDocument(file: string): ConfigDocument<Config> | undefined {
  const text = readText(file);
  return text === undefined ? undefined : parseConfig(file, text, configSchema);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    throw new ToolError('invalid', `The configuration file ${file} can't be read (${code}).`);
  }
}

/** The shadow's file is meant from the folder of the file that names it. */
function shadowOf(user: ConfigDocument<Config> | undefined): Config {
  const shadow = user?.value.shadow;
  return user === undefined || shadow === undefined ? {} : { shadow: resolve(dirname(user.file), shadow) };
}

/** A folder is trusted by its real path, or by that of a folder above it. */
function isTrusted(root: string, folders: readonly string[]): boolean {
  const real = realOf(root);
  return folders.some((folder) => real === realOf(folder) || isBelow(real, realOf(folder)));
}

function isBelow(real: string, folder: string): boolean {
  return real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync.native(folder) : resolve(folder);
}

/** What a project may set. Untrusted: nothing but rows, which `rowsOf` marks so that they only make things stricter. */
function projectConfig(project: ConfigDocument<Config>, trusted: boolean, notices: string[]): Config {
  if (!trusted) {
    const allows = rowsOfFile(project, true).filter((row) => row.decision === 'allow').length;
    const keys = Object.keys(project.value).filter((key) => key !== '$schema' && key !== 'permission');
    const ignored = [...keys, ...(allows > 0 ? [`${allows} allow ${allows === 1 ? 'row' : 'rows'}`] : [])];
    if (ignored.length > 0) {
      notices.push(`${project.file} is not trusted; ignored: ${ignored.join(', ')}. Start with --trust to apply it.`);
    }
    return {};
  }
  const refused = userOnlyKeys.filter((key) => key in project.value);
  if (refused.length > 0)
    notices.push(`${project.file}: ${refused.join(', ')} can only be set in your own file; ignored.`);
  const off = (project.value.plugins ?? []).filter((name) => name.startsWith('-'));
  if (off.length > 0)
    notices.push(`${project.file}: plugins can be switched off only in your own file; ignored: ${off.join(', ')}.`);
  const kept = Object.entries(project.value).filter(([key]) => !refused.includes(key as keyof Config));
  const config = Object.fromEntries(kept) as Config;
  return config.plugins === undefined
    ? config
    : { ...config, plugins: config.plugins.filter((name) => !name.startsWith('-')) };
}

/** Lists of plugins add up; tables of servers and agents merge by name; sandbox folders add up. */
function merged(user: Config | undefined, project: Config): Config {
  const both = { ...project };
  if (project.plugins !== undefined) both.plugins = [...(user?.plugins ?? []), ...project.plugins];
  if (project.mcpServers !== undefined) both.mcpServers = { ...user?.mcpServers, ...project.mcpServers };
  if (project.agents !== undefined) both.agents = { ...user?.agents, ...project.agents };
  if (project.sandbox !== undefined) both.sandbox = { ...user?.sandbox, ...project.sandbox };
  return both;
}

function fromEnvironment(env: LoadOptions['env']): Config {
  return {
    ...(env.BENCHDOG_MODEL ? { model: env.BENCHDOG_MODEL } : {}),
    ...(env.BENCHDOG_BASE_URL ? { baseUrl: env.BENCHDOG_BASE_URL } : {}),
  };
}
