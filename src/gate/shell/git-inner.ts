import type { Wrapped } from './inner.ts';
import { type OptionTable, readArguments } from './options.ts';
import { plainText, type ShellWord, startOf } from './word.ts';

/**
 * The commands that git is told to run; that it runs any is a doubt already. What it may come to here is enough for a row
 * that refuses.
 */
export function unwrapGit(args: readonly ShellWord[]): Wrapped | undefined {
  if (!args.some((word) => startOf(word).startsWith('-c') || telling.has(plainText(word) ?? ''))) return undefined;
  const globals = readArguments(args, globalOptions);
  const may = globals.options
    .filter(({ name }) => name === '-c')
    .map(({ value }) => settingText(plainText(value) ?? ''));
  const [first, ...rest] = globals.operands;
  may.push(...textsOf(plainText(first) ?? '', rest));
  const texts = may.filter((text) => text !== '');
  if (texts.length === 0) return undefined;
  return {
    inner: [{ type: 'opaque', why: 'it is told to run other commands', may: texts }],
    transparent: false,
    own: args,
  };
}

const globalOptions: OptionTable = {
  stops: true,
  values: '-C -c --git-dir --work-tree --namespace --config-env --exec-path',
};

const telling: ReadonlySet<string> = new Set('bisect submodule config rebase difftool filter-branch'.split(' '));

/** `alias.x=!cmd`, `core.pager=cmd` */
function settingText(setting: string): string {
  return setting.slice(setting.indexOf('=') + 1).replace(/^!/, '');
}

const running = {
  runs: '-x= --exec= --extcmd= --tree-filter= --index-filter= --msg-filter= --env-filter= --commit-filter=',
};

function textsOf(subcommand: string, args: readonly ShellWord[]): string[] {
  const texts = args.map((word) => plainText(word) ?? word.raw);
  if (subcommand === 'bisect' && texts[0] === 'run') return [texts.slice(1).join(' ')];
  if (subcommand === 'submodule' && texts.includes('foreach')) {
    return [
      texts
        .slice(texts.indexOf('foreach') + 1)
        .filter((text) => !/^--(?:recursive|quiet)$/.test(text))
        .join(' '),
    ];
  }
  if (subcommand === 'config') return texts.filter((text) => text.startsWith('!')).map((text) => text.slice(1));
  if (!['rebase', 'difftool', 'filter-branch'].includes(subcommand)) return [];
  return readArguments(args, running).options.flatMap(({ name, value }) => {
    const given = running.runs.includes(`${name}=`) ? plainText(value) : undefined;
    return given === undefined ? [] : [given];
  });
}
