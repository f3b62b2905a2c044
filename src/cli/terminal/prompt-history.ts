import { openLog } from '../../base/log.ts';
import { readWholeLog } from '../../base/log-read.ts';

/** What was sent in a folder, over all its sessions. */
export interface PromptHistory {
  /** Oldest first. */
  all(): readonly string[];
  add(text: string): void;
}

const kept = 500;
const trimAt = 1000;

/**
 * Opens the history kept in `file`, owner-only.
 *
 * @param mask takes secrets out of what is kept
 */
export function openPromptHistory(file: string, mask: (text: string) => string): PromptHistory {
  const texts = readWholeLog(file).records.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  if (texts.length > trimAt) trim(file, texts.length - kept);
  return {
    all: () => texts.slice(-kept),
    add(text) {
      const masked = mask(text);
      if (texts.at(-1) === masked) return;
      texts.push(masked);
      const log = openLog(file);
      try {
        log.append({ text: masked });
      } finally {
        log.close();
      }
    },
  };
}

function trim(file: string, drop: number): void {
  let seen = 0;
  const log = openLog(file);
  try {
    log.rewrite(() => {
      seen += 1;
      return seen > drop;
    });
  } finally {
    log.close();
  }
}
