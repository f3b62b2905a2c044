import * as z from 'zod';
import { permissionSchema } from '../gate/permission.ts';
import { approverSchema } from '../gate/rousseau-rules.ts';

/** The configuration file: JSON with comments. Published as a JSON Schema in the package. */
export const configSchema = z
  .strictObject({
    $schema: z.string(),
    model: z.string().describe('PROVIDER/ID: anthropic, openai, openrouter, ollama, or openai-compatible with baseUrl'),
    baseUrl: z.string().describe('an OpenAI-compatible endpoint'),
    dialect: z.string().describe('native, udiff, shiro or rousseau'),
    toolSets: z.array(z.string()).describe('sets beyond core; leave out for all'),
    permission: permissionSchema.describe(
      'tool to decision, or to a table of pattern and decision; the last match wins',
    ),
    approver: approverSchema.describe('how the rousseau dialect approves'),
    plugins: z.array(z.string()).describe('adds plugins; "-guard" switches one off'),
    mcpServers: z.record(
      z.string(),
      z.strictObject({
        command: z.string().optional(),
        args: z.array(z.string()).optional(),
        env: z.record(z.string(), z.string()).optional(),
        url: z.string().optional(),
        headers: z.record(z.string(), z.string()).optional(),
      }),
    ),
    sandbox: z
      .strictObject({
        mode: z.enum(['auto', 'require', 'off']),
        network: z.boolean(),
        write: z.array(z.string()),
        secrets: z.enum(['mask', 'hide']),
      })
      .partial(),
    bash: z
      .strictObject({
        preview: z.boolean().describe('a command that is asked about is tried out first, without network'),
        view: z.boolean().describe('commands run on a view of the workspace, and what they did is committed at once'),
        failed: z.enum(['commit', 'drop']).describe('what becomes of the changes of a command that failed'),
      })
      .partial(),
    shadow: z.string().describe('a second policy file; what it would have decided is logged'),
    agents: z.record(
      z.string(),
      z
        .strictObject({
          model: z.string(),
          prompt: z.string(),
          tools: z.array(z.string()),
          description: z.string(),
        })
        .partial(),
    ),
    prices: z
      .record(z.string(), z.strictObject({ input: z.number(), output: z.number(), cached: z.number().optional() }))
      .describe('USD per million tokens, by model'),
    maxSteps: z.int().positive(),
    maxVerificationNudges: z.int().min(0),
    keepSessionsDays: z.int().positive(),
    undoBytes: z.int().positive().describe('how large the undo journal of a workspace may grow'),
    trustedFolders: z.array(z.string()).describe('projects whose own configuration applies'),
  })
  .partial();

export type Config = z.infer<typeof configSchema>;

/** Keys that only the user's own file may set: a project must not loosen, redirect or charge. */
export const userOnlyKeys: readonly (keyof Config)[] = ['trustedFolders', 'prices', 'approver', 'shadow', 'baseUrl'];
