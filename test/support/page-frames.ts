import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const frames = join(import.meta.dirname, '../ui/terminal/frames');

/** A page with each `<!-- frame: NAME -->` followed by that frame as the tests hold to it. */
export function withFrames(page: string): string {
  return page.replace(
    /(<!-- frame: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const frame = readFileSync(join(frames, `${name}.txt`), 'utf8');
      return `${begin}\n\`\`\`text\n${frame}\`\`\`\n\n${end}`;
    },
  );
}
