import { interpreters, networkers, shells } from './shell/interpreters.ts';
import type { PlainCommand, ShellLine } from './shell/line.ts';
import { programs } from './shell/programs.ts';
import { plainText, type ShellWord } from './shell/word.ts';
import { mayWrap } from './shell/wrappers.ts';
import type { JudgedCall } from './verdict.ts';

/** How wide the pattern of an *always* is: `git log *`, or `git *` as the `shiro` dialect has it. */
export type AlwaysStyle = 'sub-command' | 'command';

/**
 * The patterns that an *always* may stand for, the widest useful one first: of a single command the program with its
 * sub-command, of a compound line the line itself, of a file its path. None for what runs code given in its arguments.
 */
export function alwaysPatterns(call: JudgedCall, lines: readonly ShellLine[], style: AlwaysStyle): readonly string[] {
  const [line, another] = lines;
  if (line !== undefined) return another === undefined ? linePatterns(line, style) : [];
  const foreign = call.effects.some((effect) => effect.kind === 'execute');
  if (foreign) return ['*'];
  const [effect, more] = call.effects;
  if (effect === undefined || more !== undefined || !('path' in effect)) return [];
  return [effect.path.given].filter(isExact);
}

const maxLine = 300;

function linePatterns(line: ShellLine, style: AlwaysStyle): string[] {
  const commands = line.commands.filter(({ vouched }) => vouched !== 'script');
  if (commands.some(runsGivenCode)) return [];
  const exact = line.text.length <= maxLine && isExact(line.text) ? [line.text] : [];
  const [only] = commands;
  if (!line.simple || only === undefined || isUnsafePrefix(only)) return exact;
  const words = [only.text.split(' ')[0]!, ...(style === 'command' ? [] : subcommands(only))];
  const needed = style === 'command' ? 0 : neededWords(only.name!);
  return words.length <= needed ? exact : [`${words.join(' ')} *`, ...exact];
}

/** A pattern without wildcards means one thing. */
function isExact(text: string): boolean {
  return !/[*?\n]/.test(text);
}

const privileged: ReadonlySet<string> = new Set([
  'sudo',
  'doas',
  'su',
  'runuser',
  'chroot',
  'ssh',
  'pkexec',
  'docker',
  'podman',
]);
const containers: ReadonlySet<string> = new Set(['run', 'exec', 'compose', 'create', 'start']);

/** Interpreters, shells, other users' rights, and commands that run what stands behind them. */
export function runsGivenCode(command: Pick<PlainCommand, 'name' | 'args' | 'within'>): boolean {
  const { name, args, within } = command;
  if (name === undefined || within.length > 0 || shells.has(name)) return true;
  if (Object.hasOwn(interpreters, name.replace(/[\d.]+$/, '')) || Object.hasOwn(interpreters, name)) return true;
  if (name === 'docker' || name === 'podman') return containers.has(plainText(args[0]) ?? '');
  return privileged.has(name) || mayWrap(name, args) || ['eval', 'source', '.', 'xargs', 'npx', 'bunx'].includes(name);
}

/** Allowing every use of it would allow deleting, sending or running anything. */
export function isUnsafePrefix({ name, text }: Pick<PlainCommand, 'name' | 'text'>): boolean {
  const use = Object.hasOwn(programs, name!) ? programs[name!]!.use : undefined;
  return (
    use === 'delete' ||
    use === 'move' ||
    networkers.has(name!) ||
    ['dd', 'chmod', 'chown', 'patch', 'kill'].includes(name!) ||
    !/^[\w.+-]+(?: |$)/.test(text)
  );
}

/** How many sub-command words belong to a program whose bare name says nothing. */
const subcommandWords: Readonly<Record<string, number>> = {
  git: 1,
  npm: 1,
  pnpm: 1,
  yarn: 1,
  bun: 1,
  deno: 1,
  cargo: 1,
  go: 1,
  docker: 1,
  podman: 1,
  kubectl: 1,
  helm: 1,
  gh: 2,
  glab: 2,
  terraform: 1,
  tofu: 1,
  make: 1,
  gmake: 1,
  just: 1,
  task: 1,
  gradle: 1,
  gradlew: 1,
  mvn: 1,
  pip: 1,
  pip3: 1,
  uv: 1,
  poetry: 1,
  pdm: 1,
  hatch: 1,
  conda: 1,
  systemctl: 1,
  apt: 1,
  'apt-get': 1,
  brew: 1,
  dnf: 1,
  dotnet: 1,
  rails: 1,
  rake: 1,
  bundle: 1,
  mix: 1,
  composer: 1,
  swift: 1,
  flutter: 1,
  nx: 1,
  turbo: 1,
  lerna: 1,
  aws: 2,
  gcloud: 2,
  az: 2,
  hg: 1,
  svn: 1,
  jj: 1,
  rustup: 1,
  mise: 1,
  nix: 1,
  bazel: 1,
  sbt: 1,
  stack: 1,
  cabal: 1,
};

/** `run` takes one word more: `npm run build`. */
const deeper: ReadonlySet<string> = new Set(['run', 'run-script', 'task', 'exec', 'x']);

/** How many sub-command words must stand in a pattern for a program. */
export function neededWords(name: string): number {
  return Object.hasOwn(subcommandWords, name) ? subcommandWords[name]! : 0;
}

/** The sub-command words of a command; none when it has fewer than its program needs. */
export function subcommands({ name, args }: Pick<PlainCommand, 'name' | 'args'>): string[] {
  const wanted = neededWords(name!);
  const words: string[] = [];
  for (const arg of args) {
    const extra = words.length > 0 && deeper.has(words[0]!) ? 1 : 0;
    if (words.length >= wanted + extra || !isSubcommand(arg)) break;
    words.push(plainText(arg)!);
  }
  return words.length > 0 && words.length < wanted + (deeper.has(words[0]!) ? 1 : 0) ? [] : words;
}

function isSubcommand(word: ShellWord): boolean {
  return /^[A-Za-z][\w:.-]*$/.test(plainText(word) ?? '');
}
