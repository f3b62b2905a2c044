import { asToolError } from '../../base/error.ts';
import { readClipboardImage } from '../../process/clipboard-image.ts';
import type { TerminalUi } from '../../ui/terminal/terminal-ui.ts';
import { checkedType, mostImageBytes } from '../images/show-images.ts';
import type { Desk } from './desk.ts';

/** Images out of the clipboard, each with the name it is mentioned by. */
export interface Clipboard {
  readonly images: ReadonlyMap<string, Uint8Array>;
  /** Takes the image that is in the clipboard now, and mentions it in the input. */
  paste(): Promise<void>;
}

const mostKept = 20;

export function createClipboard(env: NodeJS.ProcessEnv, ui: Pick<TerminalUi, 'insert'>, note: Desk['note']): Clipboard {
  const images = new Map<string, Uint8Array>();
  let count = 0;
  return {
    images,
    async paste() {
      try {
        const bytes = await readClipboardImage(env, mostImageBytes);
        const suffix = checkedType(bytes).slice('image/'.length);
        count += 1;
        images.set(`clipboard-${count}.${suffix}`, bytes);
        for (const oldest of images.keys()) if (images.size > mostKept) images.delete(oldest);
        ui.insert(`@clipboard-${count}.${suffix} `);
      } catch (error) {
        note(asToolError(error).message, 'warn');
      }
    },
  };
}
