import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEstimator } from '../../src/agent/estimate.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import { forkSession } from '../../src/agent/fork.ts';
import { imageLabel } from '../../src/agent/images.ts';
import { runTurn } from '../../src/agent/loop.ts';
import type { Session, StoredImage } from '../../src/agent/record.ts';
import { loadSession } from '../../src/agent/record-read.ts';
import { openSession } from '../../src/agent/session.ts';
import { removeSession } from '../../src/agent/session-list.ts';
import { messagesOf } from '../../src/agent/transcript.ts';
import { ModelError } from '../../src/model/error.ts';
import type { Image, Model, ModelRequest } from '../../src/model/model.ts';
import { fakeGate, ofType, testAgent } from '../support/agent.ts';
import { tempFolder } from '../support/folders.ts';
import { png } from '../support/images.ts';

const place = () => ({ home: tempFolder(), root: '/project' });

async function stored(session: Session, name: string, size = 64): Promise<StoredImage> {
  const bytes = png(size);
  return { name, mediaType: 'image/png', size, digest: await session.images.put(bytes) };
}

/** A model that keeps what it was asked; `refuses` throws instead of answering a request with images. */
function eyes(refuses?: ModelError, sees?: boolean) {
  const requests: ModelRequest[] = [];
  const model: Model = {
    id: 'test/eyes',
    contextTokens: 100_000,
    ...(sees === undefined ? {} : { sees }),
    async *stream(request) {
      requests.push(request);
      if (refuses !== undefined && imagesIn(request).length > 0) throw refuses;
      yield { type: 'part', part: { type: 'text', text: 'I see.' } };
      yield {
        type: 'finish',
        reason: 'stop',
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      };
    },
  };
  return { model, requests };
}

const imagesIn = ({ messages }: Pick<ModelRequest, 'messages'>): readonly Image[] =>
  messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : []));

async function say(model: Model, session: Session, text: string, images: readonly StoredImage[] = []) {
  const events: AgentEvent[] = [];
  const agent = testAgent(model, fakeGate({}));
  for await (const event of runTurn(agent, session, { text, images }, { signal: new AbortController().signal }))
    events.push(event);
  return events;
}

test('an image is shown to the model, kept beside the log owner-only, and shown again when the session goes on', async () => {
  const at = place();
  const { session } = openSession(at);
  const { model, requests } = eyes();
  await say(model, session, 'what is @a.png', [await stored(session, 'a.png')]);
  session.close();
  const image = { name: 'a.png', mediaType: 'image/png', bytes: png() };
  expect(requests[0]!.messages).toEqual([{ role: 'user', text: 'what is @a.png', images: [image] }]);
  const folder = join(at.home, 'images', session.id);
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  const again = openSession(at, 'latest').session;
  await say(model, again, 'and now');
  again.close();
  expect(requests[1]!.messages[0]).toEqual({ role: 'user', text: 'what is @a.png', images: [image] });
});

test('a copy of a session has its images, and goes on having them when the first is removed with its own', async () => {
  const at = place();
  const { session } = openSession(at);
  await say(eyes().model, session, 'look', [await stored(session, 'a.png')]);
  session.close();
  const copy = forkSession(at.home, session.id);
  removeSession(at.home, session.id);
  expect(readdirSync(join(at.home, 'images'))).toEqual([copy]);
  const again = openSession(at, { id: copy }).session;
  expect(imagesIn({ messages: messagesOf(again.records, { store: again.images }) })).toHaveLength(1);
  again.close();
});

test.each([
  ['is gone', (file: string) => rmSync(file)],
  ['was changed', (file: string) => writeFileSync(file, 'other')],
])('an image whose file %s is told of by its name', async (_, harm) => {
  const at = place();
  const { session } = openSession(at);
  const image = await stored(session, 'a.png');
  harm(join(at.home, 'images', session.id, image.digest));
  const { model, requests } = eyes();
  await say(model, session, 'look', [image]);
  session.close();
  expect(requests[0]!.messages).toEqual([
    { role: 'user', text: 'look\n\n[image a.png 64 bytes: not sent, it is no longer kept]' },
  ]);
});

test('a digest in a log that is none names no file', () => {
  const home = tempFolder();
  const log = join(home, 'x.jsonl');
  const good = { name: 'a', mediaType: 'image/png', size: 1, digest: 'a'.repeat(64) };
  const images = [{ ...good, digest: '../../../etc/passwd' }, { ...good, size: 'x' }, 7, good];
  writeFileSync(log, `${JSON.stringify({ id: 1, role: 'user', text: 'x', images })}\n`);
  expect(loadSession(log).records).toMatchObject([{ images: [good] }]);
});

test('a model that is known not to see gets the names', async () => {
  const { session } = openSession(place());
  const { model, requests } = eyes(undefined, false);
  await say(model, session, 'look', [await stored(session, 'a.png', 3 * 1024)]);
  session.close();
  expect(requests[0]!.messages).toEqual([
    { role: 'user', text: 'look\n\n[image a.png 3 KB: not sent, test/eyes takes no images]' },
  ]);
});

test('a provider that refuses an image is asked without it, once for all; a later image is tried again', async () => {
  const { session } = openSession(place());
  const { model, requests } = eyes(new ModelError('rejected', 'No endpoint takes images.'));
  const events = await say(model, session, 'look', [await stored(session, 'a.png')]);
  expect(ofType(events, 'notice')).toEqual([
    {
      type: 'notice',
      code: 'images',
      text: 'The images were not taken, and are no longer sent. No endpoint takes images.',
    },
  ]);
  expect(requests.map((request) => imagesIn(request).length)).toEqual([1, 0]);
  expect(requests[1]!.messages).toEqual([
    { role: 'user', text: 'look\n\n[image a.png 64 bytes: not sent, the model provider refused it]' },
  ]);
  await say(model, session, 'go on');
  expect(requests).toHaveLength(3);
  await say(model, session, 'and this', [await stored(session, 'b.png')]);
  session.close();
  expect(requests.map((request) => imagesIn(request).map(({ name }) => name))).toEqual([
    ['a.png'],
    [],
    [],
    ['b.png'],
    [],
  ]);
});

test('a request that is refused for another reason fails as before, and the images stay', async () => {
  const { session } = openSession(place());
  const model: Model = {
    ...eyes().model,
    // biome-ignore lint/correctness/useYield: it never gets so far
    async *stream() {
      throw new ModelError('rejected', 'unknown tool schema');
    },
  };
  const events = await say(model, session, 'look', [await stored(session, 'a.png')]);
  expect(ofType(events, 'error').map(({ text }) => text)).toEqual(['unknown tool schema']);
  expect(imagesIn({ messages: messagesOf(session.records, { store: session.images }) })).toHaveLength(1);
  session.close();
});

test('only the newest images go out: twenty, and 16 MB of them', async () => {
  const { session } = openSession(place());
  const small = await stored(session, 'a.png');
  for (let count = 0; count < 22; count += 1)
    session.append({ role: 'user', kind: 'prompt', text: 'x', images: [{ ...small }] });
  const sent = () => messagesOf(session.records, { store: session.images });
  expect(imagesIn({ messages: sent() })).toHaveLength(20);
  expect(JSON.stringify(sent()).match(/not sent, it is too far back/g)).toHaveLength(2);
  const large = { ...small, size: 9_000_000 };
  session.append({ role: 'user', kind: 'prompt', text: 'x', images: [{ ...large }, { ...large }] });
  session.close();
  expect(imagesIn({ messages: sent() })).toHaveLength(1);
});

test('an image counts for what providers take it for', () => {
  const request = { system: { stable: '', live: '' }, tools: [] };
  const image = { name: 'a', mediaType: 'image/png', bytes: png() };
  const tokens = (images: readonly Image[]) =>
    createEstimator().tokens({ ...request, messages: [{ role: 'user', text: '', images }] });
  expect(tokens([image, image]) - tokens([])).toBeGreaterThan(3000);
});

test('the label of an image', () => {
  expect(imageLabel({ name: 'shots/a.png', mediaType: 'image/png', size: 12 * 1024, digest: '' })).toBe(
    '[image shots/a.png 12 KB]',
  );
});
