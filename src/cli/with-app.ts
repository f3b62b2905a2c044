import { type App, type AppOptions, createApp } from '../app.ts';
import type { Io } from './program.ts';

/** Opens the app for one command, says what it noticed, and closes it whatever happens. */
export async function withApp(
  io: Io,
  options: Omit<AppOptions, 'env'>,
  use: (app: App) => Promise<number>,
): Promise<number> {
  const app = await createApp({ ...options, env: io.env });
  try {
    for (const notice of app.notices) io.stderr.write(`benchdog: ${notice}\n`);
    return await use(app);
  } finally {
    await app.close();
  }
}
