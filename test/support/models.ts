import { onTestFinished } from 'vitest';
import { type ModelServer, type SeenRequest, type ServerReply, startModelServer } from './model-server.ts';

/** A model server that is closed when the test ends. */
export async function modelServer(
  replies: readonly ServerReply[] | ((request: SeenRequest, index: number) => ServerReply),
): Promise<ModelServer> {
  const server = await startModelServer(replies);
  onTestFinished(server.close);
  return server;
}
