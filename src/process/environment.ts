/**
 * Names of variables that hold keys and tokens and are not handed to commands. `*` stands for any text, at the start or the
 * end only; upper and lower case are the same.
 */
const tokenNames: readonly string[] = [
  '*_API_KEY',
  '*_API_KEYS',
  '*_APIKEY',
  '*_TOKEN',
  '*_SECRET',
  '*_SECRET_KEY',
  '*_SECRET_ACCESS_KEY',
  'API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_BEARER_TOKEN_*',
];

/** Variables of model providers that are no secrets but belong to us: addresses, paths, names of models. */
const providerNames: readonly string[] = [
  'GOOGLE_APPLICATION_CREDENTIALS',
  'ANTHROPIC_*',
  'AZURE_OPENAI_*',
  'GEMINI_*',
  'OPENAI_*',
  'OPENROUTER_*',
];

/** Variables that make a shell started by the command read a file first, and so bring back what was taken out. */
const startupFiles: readonly string[] = ['BASH_ENV'];

/**
 * What every command gets because nobody sits at a terminal: editors fail (one that "succeeds" would let
 * `git rebase -i` go ahead), pagers print, prompts for passwords end. `CI` is left alone: it changes what tests and
 * installers do, not only how they ask.
 */
export const unattended: Readonly<Record<string, string>> = {
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  HGEDITOR: 'false',
  KUBE_EDITOR: 'false',
  SUDO_EDITOR: 'false',
  SVN_EDITOR: 'false',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: 'cat',
  GH_PAGER: 'cat',
  BAT_PAGER: 'cat',
  DELTA_PAGER: 'cat',
  PSQL_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SUDO_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  BROWSER: 'false',
  TERM: 'dumb',
};

export type Environment = Readonly<Record<string, string>>;

/** The environment of a command: `base` without secrets, with `unattended` on top. Names in `keep` pass even so. */
export function childEnvironment(base: NodeJS.ProcessEnv = process.env, keep: readonly string[] = []): Environment {
  const kept = Object.entries(base).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (keep.includes(entry[0]) || !isScrubbed(entry[0])),
  );
  return { ...Object.fromEntries(kept), ...unattended };
}

/** Patterns of all names a command must not have, for a shell that scrubs again after its profile. */
export const scrubbedNames: readonly string[] = [...tokenNames, ...providerNames, ...startupFiles];

/** Whether a variable of this name holds a key or token, whose value is also masked in output. */
export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  // The providers' other variables (addresses, names of models) are kept from commands but are no secrets.
  return tokenNames.some((pattern) => matches(pattern, upper));
}

function isScrubbed(name: string): boolean {
  const upper = name.toUpperCase();
  return scrubbedNames.some((pattern) => matches(pattern, upper));
}

function matches(pattern: string, name: string): boolean {
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
