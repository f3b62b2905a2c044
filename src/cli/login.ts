import { text as readAll } from 'node:stream/consumers';
import { joinSignals } from '../base/join-signals.ts';
import { unknownName } from '../base/suggest.ts';
import { findHome } from '../config/home.ts';
import { keysFile, storeKey } from '../config/keys.ts';
import { saveSettings } from '../config/save.ts';
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
  readonly model?: string;
}

/**
 * `benchdog login`: a provider, its key, and one of its models, which is written to the user's configuration. A key that
 * the provider refuses is not stored; one that can't be tried now is. Without a terminal the key is read from stdin.
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
  const id = await chooseModel(io, provider, flags.model, models instanceof ModelError ? [] : models);
  if (id === undefined) {
    io.stdout.write('No model is chosen yet: give one with --model, here or in each run.\n');
    return exitCodes.done;
  }
  // An address that was meant for another provider must not stay.
  const file = await saveSettings(home, { model: `${provider}/${id}`, baseUrl });
  io.stdout.write(`${provider}/${id} is the model from now on; that stands in ${file}.\n`);
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

/** By number, by id, with or without the provider's name. The only one there is needs no choice. */
async function chooseModel(
  io: Io,
  provider: string,
  given: string | undefined,
  models: readonly string[],
): Promise<string | undefined> {
  if (given === undefined && models.length === 1) return models[0];
  if (given === undefined && !isTerminal(io)) return undefined;
  const said = given ?? (await askLine(io, `Model (1-${models.length}, or an id): `, { signal: io.signal }));
  const name = withoutPrefix(said.trim(), `${provider}/`);
  if (name === '') return undefined;
  const id = models[Number(name) - 1] ?? name;
  if (models.length === 0 || models.includes(id)) return id;
  throw new UsageError(unknownName('model', id, models));
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
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
  const lines = models.slice(0, shown).map((id, at) => `  ${String(at + 1).padStart(2)}  ${provider}/${id}`);
  return `Its models:\n${[...lines, ...more].join('\n')}\n`;
}
