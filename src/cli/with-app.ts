import { type App, type AppOptions, createApp } from '../app.ts';
import { visibleText } from '../base/visible.ts';
import type { Io } from './program.ts';

/** Opens the app for one command, says what it noticed, and closes it whatever happens. */
export async function withApp(
  io: Io,
  options: Omit<AppOptions, 'env'>,
  use: (app: App) => Promise<number>,
): Promise<number> {
  const notice = (text: string) => void io.stderr.write(`benchdog: ${visibleText(text)}\n`);
  const app = await createApp({ notice, ...options, env: io.env });
  try {
    app.notices.forEach(notice);
    return await use(app);
  } finally {
    await app.close();
  }
}
