import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ByteQueue, byteQueue } from './byte-queue.ts';
import { type EngineEnd, type EngineRun, largestPattern, type SearchEngine } from './rg-engine.ts';
import { engineTalk } from './rg-talk.ts';

/** ripgrep compiled to WebAssembly, in a worker thread so that it neither blocks nor outlives a cancelled call. */
export function wasmEngine(): SearchEngine {
  return { name: 'rg-wasm', start: startWasm };
}

/**
 * Plain text, so that it runs the same from sources and from the bundle. All arguments begin with a dash or `./`: the
 * library opens up any other argument as a folder. It looks into folders before it is known that they are left out; at a
 * closed one that would take for ever, so it is shown an empty one.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { resolve } = require('node:path');
const stream = (name) => ({ write: (bytes) => void parentPort.postMessage({ [name]: bytes }) });
const { lstatSync, readdirSync, statSync } = fs;
parentPort.on('message', ({ args, cwd, closed }) => {
  const places = new Set(closed.map((folder) => resolve(cwd, folder)));
  const isClosed = (path) => places.size > 0 && places.has(resolve(path));
  fs.lstatSync = (path, options) => lstatSync(isClosed(path) ? cwd : path, options);
  fs.statSync = (path, options) => statSync(isClosed(path) ? cwd : path, options);
  fs.readdirSync = (path, options) => (isClosed(path) ? [] : readdirSync(path, options));
  syncBuiltinESMExports();
  import (workerData)
    .then(({ ripgrep }) => ripgrep(args, {
      env: {}, preopens: { '.': cwd }, nodeWasi: false, stdout: stream('output'), stderr: stream('errors'),
    }))
    .then(({ code }) => parentPort.postMessage({ code }));
});
`;

type Message = { readonly output?: Uint8Array; readonly errors?: Uint8Array; readonly code?: number };

// The library keeps its program under a guessable name in the temp folder and would run what it finds there: it gets a
// temp folder in which nothing can exist.
const nowhere = join(devNull, 'none');

/** A worker that has run to its end waits here for the next search: starting one costs far more than a small search. */
let idle: Worker | undefined;

function takeWorker(): Worker {
  const waiting = idle;
  idle = undefined;
  if (waiting !== undefined) return waiting;
  const module = pathToFileURL(createRequire(import.meta.url).resolve('ripgrep')).href;
  return new Worker(workerSource, {
    eval: true,
    workerData: module,
    env: { TMPDIR: nowhere, TMP: nowhere, TEMP: nowhere },
  });
}

/** Only our own listeners go: a worker has some of its own. One that dies here waits no more. */
function putBack(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  worker.unref();
  if (idle !== undefined) {
    void worker.terminate();
    return;
  }
  idle = worker;
  worker.once('exit', () => {
    if (idle === worker) idle = undefined;
  });
}

function startWasm(args: readonly string[], cwd: string, closed: readonly string[] = []): EngineRun {
  const worker = takeWorker();
  const queue = byteQueue();
  // A worker that was told to end may still send what it had to say: it must not be put back then.
  let stopped = false;
  const ended = outcome(worker, queue, () => stopped);
  worker.ref();
  worker.postMessage({ args: [largestPattern['rg-wasm'], ...args], cwd, closed });
  let over = false;
  void ended.then(() => {
    over = true;
  });
  return {
    output: queue.bytes(),
    ended,
    stop: () => {
      if (over) return;
      stopped = true;
      void worker.terminate();
    },
  };
}

function outcome(worker: Worker, queue: ByteQueue, isStopped: () => boolean): Promise<EngineEnd> {
  const talk = engineTalk();
  let crash = '';
  return new Promise((done) => {
    const end = (code: number) => {
      queue.end();
      const { errors, skipped } = talk.end();
      done({ code, errors: errors + crash, skipped });
    };
    worker.on('message', (message: Message) => {
      if (message.output !== undefined) queue.push(Buffer.from(message.output));
      if (message.errors !== undefined) talk.hear(message.errors);
      if (message.code === undefined || isStopped()) return;
      putBack(worker);
      end(message.code);
    });
    worker.on('error', (error) => {
      crash = error.message;
    });
    worker.on('exit', () => end(2));
  });
}
