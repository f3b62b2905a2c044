import { join } from 'node:path';
import { ToolError } from '../../base/error.ts';
import { writeStateFile } from '../../base/state-file.ts';
import { capture } from '../../process/capture.ts';
import { childEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/program.ts';

/** A shop that charges too little, and a secret nobody should read. */
const files: Readonly<Record<string, string>> = {
  'README.md': '# shop\n\nPrices are in cents. `total` adds up a cart and takes off a discount in percent.\n',
  'src/total.js': `export function total(cart, discount = 0) {
  const sum = cart.reduce((cents, { price }) => cents + price, 0);
  return Math.round(sum * (1 - discount / 100));
}
`,
  '.gitignore': '.env\n',
  '.env': 'PAYMENT_KEY=not-a-real-key-0123456789\n',
};

/** Makes the sample repository with its one commit. Throws `failed` where there is no git. */
export async function makeSample(root: string): Promise<void> {
  const git = findProgram('git');
  if (git === undefined) throw new ToolError('failed', 'The tour needs git on the PATH, for its sample repository.');
  for (const [name, text] of Object.entries(files)) await writeStateFile(join(root, name), Buffer.from(text));
  await run(git, root, ['init', '-q', '-b', 'main']);
  await run(git, root, ['add', '-A']);
  await run(git, root, [...author, 'commit', '-q', '-m', 'A shop']);
}

const author = ['-c', 'user.name=tour', '-c', 'user.email=tour@example.invalid', '-c', 'commit.gpgSign=false'];

async function run(file: string, cwd: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await capture({ file, args, cwd, env: childEnvironment() });
  if (code !== 0) throw new ToolError('failed', `git could not make the sample repository: ${stderr.trim()}`);
}
