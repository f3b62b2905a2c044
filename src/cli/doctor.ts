import { resolve } from 'node:path';
import { findHome } from '../config/home.ts';
import { type Loaded, loadConfig } from '../config/load.ts';
import type { Check } from './doctor/check.ts';
import { checkGit, checkNode, checkSandbox, checkSearch, checkViews } from './doctor/machine.ts';
import { checkFiles, checkJournal, checkModel, checkState, checkTrust } from './doctor/setup.ts';
import { unsafeSettings } from './doctor/unsafe.ts';
import { exitCodes } from './exit.ts';
import type { Flags, Io } from './program.ts';

/** `benchdog doctor [--json]`: what was found on this machine and in the settings; exit 1 when something is broken. */
export async function runDoctor(io: Io, flags: Flags): Promise<number> {
  const checks = await examine(io, flags);
  const broken = checks.some(({ state }) => state === 'bad');
  if (flags.json) io.stdout.write(`${JSON.stringify({ ok: !broken, checks })}\n`);
  else for (const check of checks) io.stdout.write(lineOf(check));
  return broken ? exitCodes.failed : exitCodes.done;
}

async function examine(io: Io, flags: Flags): Promise<readonly Check[]> {
  const home = findHome(io.env);
  const root = resolve(flags.root ?? '.');
  const loaded = load({ root, home, io, flags });
  const settings = loaded instanceof Error ? undefined : loaded;
  const place = { root, home, env: io.env };
  return [
    checkNode(process.version),
    await checkGit(),
    checkSearch(),
    await checkSandbox(root, settings?.config.sandbox?.mode ?? 'auto'),
    await checkViews(root, home.state),
    checkFiles(loaded),
    ...(settings === undefined ? [] : [checkTrust(settings, root), checkModel(settings.config, place)]),
    checkState(home.state),
    await checkJournal(place),
    ...(settings === undefined ? [] : unsafeSettings(settings, home, flags.dialect)),
  ];
}

function load({ root, home, io, flags }: { root: string; home: ReturnType<typeof findHome>; io: Io; flags: Flags }) {
  try {
    return loadConfig({
      root,
      home,
      env: io.env,
      ...(flags.config === undefined ? {} : { file: flags.config }),
      ...(flags.trust === undefined ? {} : { trust: flags.trust }),
    }) satisfies Loaded;
  } catch (error) {
    return error as Error;
  }
}

function lineOf({ name, state, text }: Check): string {
  return `${state.padEnd(6)}${name.padEnd(16)}${text}\n`;
}
