import { findHome } from '../../config/home.ts';
import { keysFile, storeKey } from '../../config/keys.ts';
import { saveSettings } from '../../config/save.ts';
import { ModelError } from '../../model/error.ts';
import { type ModelChoice, placeOf, providerNames } from '../../model/providers.ts';
import type { TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import { tryKey, withoutKeys } from '../login.ts';
import type { Io } from '../program.ts';

/** Providers that work without a key. */
const keyless: ReadonlySet<string> = new Set(['ollama', 'openai-compatible']);

/**
 * Where no model is configured: a provider, its key, one of its models; or the tour. What was chosen is stored. False when
 * the person goes without.
 */
export async function firstRun(io: Io, ui: TerminalUi): Promise<boolean> {
  for (;;) {
    const labels = [
      ...providerNames.map((label) => ({ label })),
      { label: 'first the tour', detail: 'a scripted model, real tools' },
    ];
    const chosen = await ui.pick('No model is configured yet. Which provider?', labels);
    if (chosen === undefined) return false;
    const provider = providerNames[chosen];
    if (provider === undefined) await showTour(io, ui);
    else if (await setUp(io, ui, provider)) return true;
  }
}

async function showTour(io: Io, ui: TerminalUi): Promise<void> {
  const { runTour } = await import('../tour.ts');
  await ui.away(() => runTour(io));
}

/** False when the person went back, or the provider refused the key. */
async function setUp(io: Io, ui: TerminalUi, provider: string): Promise<boolean> {
  const given = await askPlace(ui, provider);
  if (given === undefined) return false;
  const { key, baseUrl } = given;
  const choice: ModelChoice = {
    id: `${provider}/`,
    env: withoutKeys(io.env),
    ...(key === '' ? {} : { apiKey: key }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  const models = await tryKey(choice, io.signal);
  if (models instanceof ModelError) tellTrouble(ui, provider, models);
  if (models instanceof ModelError && models.fault === 'auth') return false;
  const id = await chooseModel(ui, provider, models instanceof ModelError ? [] : models);
  if (id === undefined) return false;
  await keep(io, ui, choice, key, `${provider}/${id}`);
  return true;
}

interface Place {
  /** Empty for none. */
  readonly key: string;
  readonly baseUrl?: string;
}

async function askPlace(ui: TerminalUi, provider: string): Promise<Place | undefined> {
  const ownPlace = provider === 'openai-compatible';
  const baseUrl = ownPlace ? (await ui.askText('Base URL, e.g. http://localhost:8000/v1'))?.trim() : undefined;
  if (ownPlace && !baseUrl) return undefined;
  const key = provider === 'ollama' ? '' : (await ui.askText(keyQuestion(provider), { hidden: true }))?.trim();
  if (key === undefined || (key === '' && !keyless.has(provider))) return undefined;
  return { key, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

function tellTrouble(ui: TerminalUi, provider: string, { fault, message }: ModelError): void {
  const text =
    fault === 'auth'
      ? `${provider} refused the key: ${message}. Nothing was stored.`
      : `Its models could not be listed: ${message}`;
  ui.show({ type: 'note', style: fault === 'auth' ? 'bad' : 'warn', text });
}

function keyQuestion(provider: string): string {
  return keyless.has(provider) ? `Key for ${provider} (leave it empty if it needs none)` : `Key for ${provider}`;
}

async function chooseModel(ui: TerminalUi, provider: string, models: readonly string[]): Promise<string | undefined> {
  if (models.length === 0) return (await ui.askText(`Which model of ${provider}?`))?.trim() || undefined;
  const chosen = await ui.pick(
    `Which model of ${provider}?`,
    models.map((label) => ({ label })),
  );
  return chosen === undefined ? undefined : models[chosen];
}

async function keep(io: Io, ui: TerminalUi, choice: ModelChoice, key: string, model: string): Promise<void> {
  const home = findHome(io.env);
  if (key !== '') await storeKey(home, placeOf(choice).baseURL, key);
  // An address that was meant for another provider must not stay.
  const file = await saveSettings(home, { model, baseUrl: choice.baseUrl });
  const where = key === '' ? '' : ` The key is in ${keysFile(home)}, readable by you alone.`;
  ui.show({ type: 'note', style: 'good', text: `${model} it is; that stands in ${file}.${where}` });
}
