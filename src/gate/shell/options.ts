import { maybeOption, plainText, plainWord, type ShellWord, startOf } from './word.ts';

/** How a program reads its arguments. Options are written as on the command line, separated by blanks. */
export interface OptionTable {
  /** Options that take a value, as the next word or joined. */
  readonly values?: string;
  /** Options whose value is a file that is read. */
  readonly reads?: string;
  /** Options whose value is a file that is written. */
  readonly writes?: string;
  /** Options that run a program, load code, or reach further than the program's name tells. */
  readonly runs?: string;
  /** Options that write to the operands or beside them. */
  readonly edits?: string;
  /** Options that make a folder operand mean all files below. */
  readonly recursive?: string;
  /** The first operand ends the options, as for `env` and `timeout`. */
  readonly stops?: boolean;
  /** `-name value` counts as a long option (find, java style): single letters can't be clustered. */
  readonly single?: boolean;
}

export interface GivenOption {
  /** As the table writes it, or as given when the table does not know it. */
  readonly name: string;
  readonly value?: ShellWord;
}

export interface ReadArguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly ShellWord[];
  /** True when a word that is no fixed text might turn out to be an option. */
  readonly unsure: boolean;
}

interface Compiled {
  readonly known: readonly string[];
  readonly valued: ReadonlySet<string>;
}

const compiledTables = new WeakMap<OptionTable, Compiled>();

function compile(table: OptionTable): Compiled {
  let compiled = compiledTables.get(table);
  if (compiled === undefined) {
    const valued = new Set([table.values, table.reads, table.writes].flatMap(optionNames).concat(valuedRuns(table)));
    const flags = [table.runs, table.edits, table.recursive].flatMap(optionNames);
    compiled = { known: [...new Set([...valued, ...flags])], valued };
    compiledTables.set(table, compiled);
  }
  return compiled;
}

/** `-x=` in the table of options that run code says that the option takes a value. */
function valuedRuns(table: OptionTable): string[] {
  return (table.runs ?? '').split(' ').flatMap((name) => (name.endsWith('=') ? [name.slice(0, -1)] : []));
}

const cells = new Map<string, readonly string[]>();

/** The options of one cell of a table. */
export function optionNames(cell: string | undefined): readonly string[] {
  if (cell === undefined) return [];
  let names = cells.get(cell);
  if (names === undefined) {
    names = cell
      .split(' ')
      .filter(Boolean)
      .map((name) => (name.endsWith('=') ? name.slice(0, -1) : name));
    cells.set(cell, names);
  }
  return names;
}

/** Sorts a program's arguments into options and operands as getopt_long does: clusters, `--`, abbreviations. */
export function readArguments(args: readonly ShellWord[], table: OptionTable): ReadArguments {
  const compiled = compile(table);
  const options: GivenOption[] = [];
  const operands: ShellWord[] = [];
  let unsure = false;
  let at = 0;
  while (at < args.length) {
    const word = args[at]!;
    at += 1;
    const text = startOf(word);
    if (text === '--' && word.kind === 'plain') return { options, operands: [...operands, ...args.slice(at)], unsure };
    if (word.kind !== 'plain' && maybeOption(word) && (text === '' || !text.includes('='))) unsure = true;
    if (!text.startsWith('-') || text === '-') {
      operands.push(word);
      if (table.stops) return { options, operands: [...operands, ...args.slice(at)], unsure };
      continue;
    }
    const read = text.startsWith('--') || table.single ? readLong(word, text, compiled) : readCluster(text, compiled);
    const missing = read.at(-1);
    if (missing?.wantsValue && at < args.length) {
      options.push(...read.slice(0, -1), { name: missing.name, value: args[at]! });
      at += 1;
    } else {
      options.push(...read);
    }
  }
  return { options, operands, unsure };
}

interface Reading extends GivenOption {
  readonly wantsValue?: boolean;
}

/** `--name`, `--name=value`; a beginning of several names counts as each of them. */
function readLong(word: ShellWord, text: string, { known, valued }: Compiled): Reading[] {
  const equals = text.indexOf('=');
  const given = equals < 0 ? text : text.slice(0, equals);
  const names = known.includes(given)
    ? [given]
    : known.filter((name) => name.startsWith('--') && name.startsWith(given));
  const value = equals < 0 ? undefined : afterEquals(word, equals);
  if (names.length === 0) return [value === undefined ? { name: given } : { name: given, value }];
  return names.map((name) => (value !== undefined ? { name, value } : { name, wantsValue: valued.has(name) }));
}

/** The word behind the `=` at a place of its text. */
export function afterEquals(word: ShellWord, equals: number): ShellWord {
  const value = plainText(word);
  if (value !== undefined) return plainWord(value.slice(equals + 1));
  const may = word.kind === 'open' ? (word.may ?? []).map((one) => plainWord(one.raw.slice(equals + 1))) : [];
  return { kind: 'open', raw: word.raw, prefix: startOf(word).slice(equals + 1), may };
}

/** `-abc` is `-a -b -c`, or `-a` with the value `bc`. */
function readCluster(text: string, { valued }: Compiled): Reading[] {
  const read: Reading[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    if (!valued.has(name)) {
      read.push({ name });
      continue;
    }
    const rest = text.slice(at + 1);
    read.push(rest === '' ? { name, wantsValue: true } : { name, value: plainWord(rest) });
    break;
  }
  return read;
}
