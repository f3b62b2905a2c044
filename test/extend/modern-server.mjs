// A server that speaks 2026-07-28 and nothing older.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(
  () => {
    const server = new Server({ name: 'modern', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'now', inputSchema: { type: 'object' } }] }));
    server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'modern times' }] }));
    return server;
  },
  { legacy: 'reject' },
);
