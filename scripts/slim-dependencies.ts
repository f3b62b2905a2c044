/** What a bundler calls with every file before it is parsed; as much of a plugin as this needs. */
export interface SlimPlugin {
  readonly name: string;
  transform(code: string, id: string): string | undefined;
  buildEnd(error?: Error): void;
}

interface Cut {
  /** The end of the file's path. */
  readonly file: string;
  readonly why: string;
  apply(code: string): string;
}

const cuts: readonly Cut[] = [
  {
    file: '/zod/v4/locales/index.js',
    why: 'fifty languages of messages, of which English is registered',
    apply: (code) => only(code, /^export \{ default as en \} from "\.\/en\.js";$/m),
  },
  {
    file: '/@ai-sdk/provider-utils/dist/index.mjs',
    why: "the first mention of `Headers` in a process loads Node's whole fetch, 35 ms",
    apply: (code) =>
      once(
        once(code, 'new Headers(normalizeHeaders(headers))', 'new Map(Object.entries(normalizeHeaders(headers)))'),
        'headers instanceof Headers',
        'typeof headers.forEach === "function" && !Array.isArray(headers)',
      ),
  },
];

/**
 * Takes out of dependencies what the command pays for at every start and never uses. A dependency that no longer looks
 * as it did fails the build: then look again at what is cut, and why.
 */
export function slimDependencies(): SlimPlugin {
  const open = new Set(cuts);
  return {
    name: 'slim-dependencies',
    transform(code, id) {
      const path = id.replaceAll('\\', '/');
      const cut = cuts.find(({ file }) => path.endsWith(file));
      if (cut === undefined) return undefined;
      open.delete(cut);
      return cut.apply(code);
    },
    buildEnd(error) {
      if (error !== undefined) return;
      const missed = [...open].map(({ file, why }) => `${file} (${why})`);
      if (missed.length > 0) throw new Error(`nothing to slim in the bundle: ${missed.join(', ')}`);
    },
  };
}

function only(code: string, line: RegExp): string {
  const found = line.exec(code)?.[0];
  if (found === undefined) throw new Error(`no line ${line} to keep`);
  return `${found}\n`;
}

function once(code: string, before: string, after: string): string {
  if (code.split(before).length !== 2) throw new Error(`"${before}" is not there exactly once`);
  return code.replace(before, () => after);
}
