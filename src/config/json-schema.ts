import * as z from 'zod';
import { configSchema } from './schema.ts';

/** The JSON Schema of the configuration file as it is published in the package. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  return { title: 'benchdog configuration', ...schema };
}
