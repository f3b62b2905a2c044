import { joined, textOf, type Wrapped } from './inner.ts';
import { type OptionTable, readArguments } from './options.ts';
import { plainText, type ShellWord } from './word.ts';

const ssh: OptionTable = { stops: true, values: '-B -b -c -D -E -e -F -I -i -J -L -l -m -o -O -p -Q -R -S -W -w' };

/** Programs that run what stands behind `--` somewhere else. */
const dashed: ReadonlySet<string> = new Set(
  'kubectl oc k9s lxc incus mosh multipass distrobox toolbox flatpak gcloud nomad devcontainer'.split(' '),
);

/** The option that hands over a command for a shell elsewhere. */
const optioned: Readonly<Record<string, string>> = {
  vagrant: '-c= --command=',
  gcloud: '--command=',
  fly: '-C= --command=',
  flyctl: '-C= --command=',
  ansible: '-a= --args=',
};

/** Words of their own, then a command. */
const worded: Readonly<Record<string, readonly string[]>> = {
  adb: ['shell'],
  heroku: ['run'],
  lxc: ['exec'],
  incus: ['exec'],
  wsl: [],
};

/** Looks into what a program runs on another machine or inside another system. */
export function unwrapRemote(name: string, args: readonly ShellWord[]): Wrapped | undefined {
  if (name === 'ssh' || name === 'autossh') return unwrapSsh(args);
  if (name === 'kubectl' || name === 'oc') return unwrapDashed(args) ?? unwrapKubectl(args);
  return (
    (dashed.has(name) ? unwrapDashed(args) : undefined) ??
    (Object.hasOwn(optioned, name) ? unwrapOption(args, optioned[name]!) : undefined) ??
    (Object.hasOwn(worded, name) ? unwrapWorded(args, worded[name]!) : undefined)
  );
}

/** All words behind the host are one text for the shell there. */
function unwrapSsh(args: readonly ShellWord[]): Wrapped | undefined {
  const read = readArguments(args, ssh);
  const words = read.operands.slice(1);
  if (words.length === 0) return undefined;
  return {
    inner: [joined(words)],
    transparent: false,
    own: args.slice(0, args.length - words.length),
    vouches: 'remote',
  };
}

function unwrapDashed(args: readonly ShellWord[]): Wrapped | undefined {
  const at = args.findIndex((word) => plainText(word) === '--');
  const words = at < 0 ? [] : args.slice(at + 1);
  if (words.length === 0) return undefined;
  return { inner: [{ type: 'words', words }], transparent: false, own: args.slice(0, at), vouches: 'remote' };
}

const kubectl: OptionTable = { values: '-n --namespace --context --kubeconfig -c --container -s --server --cluster' };

/** The old form without `--`: `kubectl exec POD COMMAND`. */
function unwrapKubectl(args: readonly ShellWord[]): Wrapped | undefined {
  const read = readArguments(args, kubectl);
  if (plainText(read.operands[0]) !== 'exec' || read.operands.length < 3) return undefined;
  const words = read.operands.slice(2);
  return { inner: [{ type: 'words', words }], transparent: false, own: args.slice(0, 2), vouches: 'remote' };
}

function unwrapOption(args: readonly ShellWord[], runs: string): Wrapped | undefined {
  const read = readArguments(args, { runs });
  const given = read.options.filter(({ value }) => value !== undefined);
  if (given.length === 0) return undefined;
  return { inner: given.map(({ value }) => textOf(value)), transparent: false, own: read.operands, vouches: 'remote' };
}

const wordedOptions: OptionTable = { stops: true, values: '-d -u -s -a --app --user' };

function unwrapWorded(args: readonly ShellWord[], first: readonly string[]): Wrapped | undefined {
  if (!first.every((word, at) => plainText(args[at]) === word)) return undefined;
  const { operands } = readArguments(args.slice(first.length), wordedOptions);
  return operands.length === 0
    ? undefined
    : { inner: [joined(operands)], transparent: false, own: args.slice(0, first.length), vouches: 'remote' };
}
