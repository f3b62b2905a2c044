import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { type EngineEnd, type EngineRun, largestPattern, nothingSkipped, type SearchEngine } from './rg-engine.ts';
import { engineTalk } from './rg-talk.ts';
import { wasmEngine } from './rg-wasm.ts';

export type { SearchEngine } from './rg-engine.ts';

/** The bundled native ripgrep, or where it can't run the same ripgrep compiled to WebAssembly. */
export function searchEngine(): SearchEngine {
  chosen ??= nativeEngine() ?? wasmEngine();
  return chosen;
}

let chosen: SearchEngine | undefined;

/** The native binary, or undefined when there is none for this platform or it doesn't start. */
export function nativeEngine(): SearchEngine | undefined {
  const file = nativePath();
  if (file === undefined || spawnSync(file, ['--version'], { stdio: 'ignore', env: bareEnvironment() }).status !== 0) {
    return undefined;
  }
  return { name: 'rg', start: (args, cwd) => startNative(file, args, cwd) };
}

function nativePath(): string | undefined {
  try {
    const platform = `@vscode/ripgrep-${process.platform}-${process.arch}`;
    const require = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    return require.resolve(`${platform}/bin/${process.platform === 'win32' ? 'rg.exe' : 'rg'}`);
  } catch {
    return undefined;
  }
}

function startNative(file: string, args: readonly string[], cwd: string): EngineRun {
  const child = spawn(file, [largestPattern.rg, ...args], {
    cwd,
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const talk = engineTalk();
  child.stderr.on('data', talk.hear);
  const ended = new Promise<EngineEnd>((done) => {
    child.once('error', (error) => done({ code: 2, errors: error.message, skipped: nothingSkipped }));
    child.once('close', (code, signal) => {
      const { errors, skipped } = talk.end();
      done({ code: code ?? 2, errors: signal === null ? errors : `${errors}ended by ${signal}`, skipped });
    });
  });
  return { output: child.stdout, ended, stop: () => void child.kill('SIGKILL') };
}

/** ripgrep needs no variable but what Windows programs need to start. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const root = process.env.SystemRoot;
  return root === undefined ? {} : { SystemRoot: root };
}
