import { text as readAll } from 'node:stream/consumers';
import { joinSignals } from '../base/join-signals.ts';
import { unknownName } from '../base/suggest.ts';
import { findHome } from '../config/home.ts';
import { keysFile, storeKey } from '../config/keys.ts';
import { ModelError } from '../model/error.ts';
import { listModels } from '../model/list-models.ts';
import { type ModelChoice, placeOf, providerNames } from '../model/providers.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';
import { askLine } from './question.ts';
import { UsageError } from './usage.ts';

export interface LoginFlags extends Flags {
  readonly provider?: string;
  readonly baseUrl?: string;
}

/**
 * `benchdog login`: a provider, its key, and what models it has. A key that the provider refuses is not stored; one that
 * can't be tried now is. Without a terminal the key is read from stdin.
 */
export async function runLogin(io: Io, flags: LoginFlags): Promise<number> {
  const provider = await chooseProvider(io, flags.provider);
  const baseUrl = await chooseBaseUrl(io, provider, flags.baseUrl);
  const key = await readKey(io, provider);
  const env = withoutKeys(io.env);
  const choice: ModelChoice = {
    id: `${provider}/`,
    env,
    ...(key ? { apiKey: key } : {}),
    ...(baseUrl ? { baseUrl } : {}),
  };
  const { baseURL } = placeOf(choice);
  const models = await tryKey(choice, io.signal);
  if (models instanceof ModelError && models.fault === 'auth') {
    io.stderr.write(`benchdog: ${provider} refused the key: ${models.message}. Nothing was stored.\n`);
    return exitCodes.failed;
  }
  const home = findHome(io.env);
  if (key !== '') await storeKey(home, baseURL, key);
  io.stdout.write(
    key === '' ? `${provider} at ${baseURL}, without a key.\n` : `Key for ${baseURL} stored in ${keysFile(home)}.\n`,
  );
  io.stdout.write(
    models instanceof ModelError ? `Its models could not be listed: ${models.message}\n` : listed(provider, models),
  );
  return exitCodes.done;
}

async function chooseProvider(io: Io, given: string | undefined): Promise<string> {
  const names = [...providerNames];
  const name = given ?? (await ask(io, `Provider (${names.join(', ')}): `, '--provider NAME'));
  if (names.includes(name)) return name;
  throw new UsageError(unknownName('provider', name, names));
}

async function chooseBaseUrl(io: Io, provider: string, given: string | undefined): Promise<string | undefined> {
  if (given !== undefined || provider !== 'openai-compatible') return given;
  return ask(io, 'Base URL, e.g. http://localhost:8000/v1: ', '--base-url URL');
}

async function readKey(io: Io, provider: string): Promise<string> {
  const given = isTerminal(io)
    ? await askLine(io, `Key for ${provider} (not shown): `, { hidden: true })
    : await readAll(io.stdin);
  const key = given.trim();
  if (/\s/.test(key)) throw new UsageError('a key is one line without blanks; this is not.');
  return key;
}

async function ask(io: Io, question: string, flag: string): Promise<string> {
  if (!isTerminal(io)) throw new UsageError(`without a terminal login needs ${flag}, and the key on stdin.`);
  return (await askLine(io, question, { signal: io.signal })).trim();
}

function isTerminal({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** An environment without keys: the key that was typed is the one that is tried, not one of the environment. */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.endsWith('_API_KEY')));
}

const patienceMs = 10_000;

/** The provider's models; the error when it could not be asked, or refused the key. */
export async function tryKey(choice: ModelChoice, signal: AbortSignal): Promise<string[] | ModelError> {
  const patience = joinSignals([signal], patienceMs);
  try {
    return await listModels(choice, patience.signal);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  } finally {
    patience.release();
  }
}

const shown = 40;

function listed(provider: string, models: readonly string[]): string {
  if (models.length === 0) return 'It lists no models.\n';
  const more = models.length > shown ? [`… and ${models.length - shown} more`] : [];
  const lines = [...models.slice(0, shown).map((id) => `  ${provider}/${id}`), ...more];
  return `Its models, for --model or "model" in your configuration:\n${lines.join('\n')}\n`;
}
