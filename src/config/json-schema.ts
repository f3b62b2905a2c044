import * as z from 'zod';
import { configSchema } from './schema.ts';

/** The configuration file as JSON Schema (draft 2020-12), for editors; `schema/config.schema.json` in the package is this text. */
export function configJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input' });
  const title = 'Configuration of benchdog';
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}
