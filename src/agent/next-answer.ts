import { ModelError } from '../model/error.ts';
import type { ModelRequest } from '../model/model.ts';
import type { Agent } from './agent.ts';
import { askModel, type ModelAnswer } from './ask-model.ts';
import { uniqueCallIds } from './call-id.ts';
import { fitContext, learnLimit } from './context.ts';
import type { Sight } from './images.ts';
import { buildPrompt } from './prompt.ts';
import { isAssistant, type Session } from './record.ts';
import { todoSlot } from './todo.ts';
import { asSpec, toolsNow } from './tool-list.ts';
import { messagesOf } from './transcript.ts';
import { countUsage, type Turn } from './turn.ts';

/** Asks the model with the conversation as it stands, and logs what it said before anything acts on it. */
export async function nextAnswer(turn: Turn): Promise<ModelAnswer> {
  const { session, emit } = turn;
  turn.steps += 1;
  const answer = await askFitting(turn);
  const parts = uniqueCallIds(answer.parts, turn.callIds);
  if (parts.length > 0) session.append({ role: 'assistant', ...answer, parts });
  for (const part of parts) {
    if (part.type !== 'call') emit({ type: part.type, text: part.text });
  }
  countUsage(turn, answer);
  return { ...answer, parts };
}

const mostRefusals = 4;

/** A request that the provider finds too long is shortened and sent again; one whose images it refuses, without them. */
async function askFitting(turn: Turn): Promise<ModelAnswer> {
  try {
    return await askShortening(turn, agentSight(turn));
  } catch (error) {
    if (!(error instanceof ModelError) || error.fault !== 'rejected' || !showsImages(turn)) throw error;
    return askUnseen(turn, error);
  }
}

/** They are left out for good only when that was what stood in the way. */
async function askUnseen(turn: Turn, { message }: ModelError): Promise<ModelAnswer> {
  const answer = await askShortening(turn, { store: turn.session.images, blind: 'the model provider refused it' });
  turn.session.append({ type: 'unseen' });
  turn.emit({ type: 'notice', code: 'images', text: `The images were not taken, and are no longer sent. ${message}` });
  return answer;
}

function agentSight({ agent, session }: Turn): Sight {
  const { sees, id } = agent.model;
  return { store: session.images, ...(sees === false ? { blind: `${id} takes no images` } : {}) };
}

function showsImages(turn: Turn): boolean {
  const messages = messagesOf(turn.session.records, agentSight(turn));
  return messages.some((message) => message.role === 'user' && message.images !== undefined);
}

async function askShortening(turn: Turn, sight: Sight): Promise<ModelAnswer> {
  const { agent, session, signal, emit } = turn;
  let refused: { size: number; error: ModelError } | undefined;
  for (let refusals = 0; ; refusals += 1) {
    const request = await fitContext(turn, () => requestOf(agent, session, sight));
    const size = turn.estimate.tokens(request);
    if (refused !== undefined && size >= refused.size) throw refused.error;
    try {
      const answer = await askModel(agent.model, request, signal, emit, agent.retry);
      if (answer.usage !== undefined) turn.estimate.learn(request, answer.usage);
      return answer;
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.fault === 'context';
      if (!isTooLong || refusals >= mostRefusals) throw error;
      refused = { size, error };
      emit({ type: 'notice', code: 'context', text: error.message });
      learnLimit(turn, request);
    }
  }
}

function requestOf(agent: Agent, session: Session, sight: Sight): ModelRequest {
  const definitions = toolsNow(agent);
  return {
    system: buildPrompt(agent.instructions(), definitions, agent.state.get(todoSlot).todos, agent.output?.schema),
    messages: messagesOf(session.records, sight),
    tools: definitions.map(asSpec),
    answers: session.records.filter(isAssistant).length,
  };
}
