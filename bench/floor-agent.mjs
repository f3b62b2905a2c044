// The least an agent can be: one file, no dependencies, bare tools without any check. What Node itself costs.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';

const [, , url, prompt] = process.argv;
const text = (name) => ({ type: 'string', description: name });
const tool = (name, ...fields) => ({
  type: 'function',
  function: {
    name,
    parameters: { type: 'object', properties: Object.fromEntries(fields.map((one) => [one, text(one)])) },
  },
});
const tools = [
  tool('read_file', 'path'),
  tool('grep', 'pattern'),
  tool('edit_file', 'path', 'oldString', 'newString'),
  tool('bash', 'command'),
  tool('glob', 'pattern'),
];
const run = (file, ...args) => {
  try {
    return execFileSync(file, args, { encoding: 'utf8' });
  } catch (error) {
    return String(error.stdout ?? error.message);
  }
};
const hands = {
  read_file: ({ path }) => readFileSync(path, 'utf8'),
  grep: ({ pattern }) => run('rg', '-n', pattern, '.'),
  edit_file: ({ path, oldString, newString }) => {
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(oldString, () => newString),
    );
    return 'edited';
  },
  bash: ({ command }) => run('bash', '-c', command),
  glob: ({ pattern }) => run('rg', '--files', '-g', pattern),
};

function ask(messages) {
  const body = JSON.stringify({ model: 'bench', stream: true, messages, tools });
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let data = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        data += chunk;
      });
      response.on('end', () => resolve(gather(data)));
    });
    sent.end(body);
  });
}

function gather(data) {
  const answer = { role: 'assistant', content: '', tool_calls: [] };
  for (const line of data.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
    answer.content += delta.content ?? '';
    for (const part of delta.tool_calls ?? []) {
      if (part.id) answer.tool_calls[part.index] = { ...part, function: { ...part.function } };
      else answer.tool_calls[part.index].function.arguments += part.function.arguments;
    }
  }
  if (answer.tool_calls.length === 0) delete answer.tool_calls;
  return answer;
}

const messages = [{ role: 'user', content: prompt }];
for (;;) {
  const answer = await ask(messages);
  messages.push(answer);
  if (answer.tool_calls === undefined) {
    console.log(answer.content);
    break;
  }
  for (const call of answer.tool_calls) {
    const content = hands[call.function.name](JSON.parse(call.function.arguments));
    messages.push({ role: 'tool', tool_call_id: call.id, content });
  }
}
