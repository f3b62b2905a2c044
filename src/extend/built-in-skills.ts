import type { Skill } from './skills.ts';

/** Skills that come with benchdog; a project's or user's skill of the same name replaces one. */
export const builtInSkills: readonly Skill[] = [
  {
    name: 'benchdog-setup',
    description: 'How to configure benchdog itself: permissions, MCP servers, plugins, skills.',
    load: async () => setup,
  },
];

const setup = `Settings are JSON with comments: the user's own config.json (see \`benchdog doctor\` for its place) and the project's
.benchdog/config.json, which applies once the folder is trusted (\`--trust\`).

Permissions: a tool, then a decision or a table of patterns; the last match wins.
  { "permission": { "bash": { "*": "ask", "git *": "allow", "npm test*": "allow" }, "read_file": { "secrets/**": "deny" } } }
A row may be { "decision": "deny", "reason": "…", "examples": { "match": ["…"], "not": ["…"] } }.
Check with \`benchdog policy why TOOL JSON\` and \`benchdog policy lint\`.

MCP servers: tools come as mcp__SERVER__TOOL and are asked by default. \${NAME} takes an environment variable.
  { "mcpServers": { "docs": { "command": "npx", "args": ["-y", "some-server"], "env": { "KEY": "\${DOCS_KEY}" } },
                    "remote": { "url": "https://host/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } } } }

Plugins: guard, secrets and protect are on. "plugins": ["NAME"] adds plugins/NAME.mjs (code) or plugins/NAME.json
(refusals alone) from the configuration folder or a trusted project's .benchdog/plugins.

Skills: .benchdog/skills/NAME/SKILL.md or NAME.md, with name and description as YAML front matter.
Project instructions: AGENTS.md.`;
