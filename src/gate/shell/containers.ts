import type { Inner, Wrapped } from './inner.ts';
import { type OptionTable, readArguments } from './options.ts';
import { plainText, type ShellWord } from './word.ts';

const clients: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose']);

const globals: OptionTable = {
  stops: true,
  values:
    '-H --host -c --context -l --log-level --config -f --file -p --project-name --profile --env-file --project-directory --url --connection',
};

const running: OptionTable = {
  stops: true,
  values:
    '-e --env -u --user -w --workdir --env-file --detach-keys -v --volume --mount -p --publish --name --network --net --label -l ' +
    '--entrypoint --platform --hostname -h --add-host --cpus -m --memory --gpus --device --cap-add --cap-drop --security-opt ' +
    '--restart --pull --tmpfs --shm-size --ulimit --index --cidfile --ipc --pid --userns --log-driver --log-opt --dns -a --attach',
};

const starting: ReadonlySet<string> = new Set(['exec', 'run', 'create']);

/** `docker run IMAGE COMMAND`, `docker compose exec SERVICE COMMAND` and the like of other clients. */
export function unwrapContainer(name: string, args: readonly ShellWord[]): Wrapped | undefined {
  if (!clients.has(name)) return undefined;
  const outer = readArguments(args, globals).operands;
  const group = ['container', 'compose'].includes(plainText(outer[0]) ?? '');
  const rest = group ? readArguments(outer.slice(1), globals).operands : outer;
  if (!starting.has(plainText(rest[0]) ?? '')) return undefined;
  const read = readArguments(rest.slice(1), running);
  const words = read.operands.slice(1);
  const entry = read.options.findLast((option) => option.name === '--entrypoint')?.value;
  const command = entry === undefined ? words : [entry, ...words];
  const own = args.slice(0, args.length - words.length);
  if (command.length === 0) return undefined;
  const inner: Inner = { type: 'words', words: command };
  const unsure: Inner[] = read.unsure ? [{ type: 'opaque', why: 'what it runs is not written out' }] : [];
  return { inner: [inner, ...unsure], transparent: false, own, vouches: 'remote' };
}
