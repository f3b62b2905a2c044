import { StringDecoder } from 'node:string_decoder';
import { longestErrors, type Skipped } from './rg-engine.ts';

/** Takes apart what an engine says on standard error: complaints and, with `--debug`, which files it gave up. */
export interface EngineTalk {
  hear(bytes: Uint8Array): void;
  /** What was heard, when there is no more. Of much, a bounded part. */
  end(): { readonly errors: string; readonly skipped: Skipped };
}

/**
 * What is said begins with `rg: ` at the start of a line. About a path it goes on over lines until it has its end, because
 * names may hold newlines. A name can be made to look like another record, so whoever uses the paths looks for himself.
 */
export function engineTalk(): EngineTalk {
  const decoder = new StringDecoder('utf8');
  const files = skippedFiles();
  let rest = '';
  let errors = '';
  /** What is said of a path and has no end yet. */
  let open: string | undefined;

  const hearLine = (line: string) => {
    const begins = line.startsWith(debugMark);
    if (begins || (open !== undefined && !line.startsWith('rg: '))) {
      const record: string = begins ? line : `${open}\n${line}`;
      open = goesOn.test(record) && record.length < longestLine ? record : undefined;
      files.note(record);
      return;
    }
    open = undefined;
    if (errors.length < longestErrors) errors += `${line}\n`.slice(0, longestErrors - errors.length);
  };
  const hearText = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(0, longestLine);
    for (const line of lines) hearLine(line);
  };
  return {
    hear: (bytes) => hearText(decoder.write(Buffer.from(bytes))),
    end: () => {
      hearText(decoder.end());
      if (rest !== '') hearLine(rest);
      return { errors, skipped: files.skipped };
    },
  };
}

const debugMark = 'rg: DEBUG|';

/** Longer than what is said of any path. */
const longestLine = 64 * 1024;

const aboutPath = String.raw`^rg: DEBUG\|(?:grep_printer::\w+|ignore::walk)\|\S*: (?:ignoring|whitelisting) `;
const end = String.raw`: (?:found binary data at offset \d+|\d+ bytes|(?:Ignore|Whitelist)\(.*\))$`;
const goesOn = new RegExp(`${aboutPath}(?!.*${end})`, 's');

const binary = /^rg: DEBUG\|grep_printer::\w+\|\S*: ignoring (.*): found binary data at offset \d+$/s;

const mostSkipped = 10_000;
const mostChars = 1024 * 1024;

function skippedFiles() {
  const skipped = { binary: [] as string[], more: false };
  let count = 0;
  let chars = 0;
  const keep = (paths: string[], path: string) => {
    count += 1;
    chars += path.length;
    if (count > mostSkipped || chars > mostChars) skipped.more = true;
    else paths.push(path);
  };
  return {
    skipped,
    note(record: string) {
      const given = binary.exec(record)?.[1];
      if (given !== undefined) keep(skipped.binary, given);
    },
  };
}
