import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { makeOwnFolder } from './own-folder.ts';

/**
 * Keeps the compiled code of the CommonJS files below `code` in `folder`, so that the next start need not compile them.
 * Node does this itself from 22.1 on (`module.enableCompileCache`); this is for those before. What can't be read, is
 * damaged or is of another text or another Node is compiled as ever.
 *
 * @param folder ours alone: who can write to it can hand us code
 */
export function keepCompiled(code: string, folder: string): void {
  const { extensions } = createRequire(import.meta.url) as { extensions: Record<string, Load> };
  const plain = extensions['.js']!;
  const fresh = new Map<string, Script>();
  extensions['.cjs'] = (module, path) => {
    const text = path.startsWith(code) ? readFileSync(path, 'utf8') : undefined;
    if (text === undefined || importsLater(text)) return plain(module, path);
    const script = compile(path, text, folder, fresh);
    script.runInThisContext().call(module.exports, module.exports, requireOf(module), module, path, dirname(path));
  };
  process.once('exit', () => {
    if (fresh.size > 0) keep(folder, fresh);
  });
}

type Load = (module: NodeJS.Module, path: string) => void;

function requireOf(module: NodeJS.Module): (id: string) => unknown {
  return (id) => module.require(id);
}

/** Code that comes from a cache has lost the way to import anything. */
function importsLater(text: string): boolean {
  return text.includes('import(');
}

function compile(path: string, text: string, folder: string, fresh: Map<string, Script>): Script {
  const name = nameFor(text);
  const script = new Script(Module.wrap(text), { filename: path, cachedData: readKept(join(folder, name)) });
  if (script.cachedDataRejected !== false) fresh.set(name, script);
  return script;
}

function nameFor(text: string): string {
  return createHash('sha1').update(process.version).update(process.arch).update(text).digest('hex');
}

const sumBytes = 4;

/** The compiled code, when it is what was written: V8 itself trusts its bytes. */
function readKept(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(sumBytes);
    return bytes.readUInt32LE() === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Written last, when what this run used is compiled as well. That it can't be written costs time alone. */
function keep(folder: string, fresh: ReadonlyMap<string, Script>): void {
  try {
    makeOwnFolder(folder);
    for (const [name, script] of fresh) {
      const code = script.createCachedData();
      const sum = Buffer.alloc(sumBytes);
      sum.writeUInt32LE(crc32(code));
      const beside = join(folder, `${name}.${process.pid}`);
      writeFileSync(beside, Buffer.concat([sum, code]), { mode: 0o600 });
      renameSync(beside, join(folder, name));
    }
    removeOld(folder);
  } catch {
    // A folder that can't be written to.
  }
}

const oldMs = 30 * 24 * 3_600_000;

/** What an earlier version left. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > oldMs) rmSync(path, { recursive: true, force: true });
  }
}
