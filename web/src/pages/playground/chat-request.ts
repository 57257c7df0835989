import {
  type AssistantTurn,
  type ChatMessage,
  type ChatRequest,
  type ChatSettings,
  can,
  type Draft,
  type Image,
  type ModelView,
  schemaFault,
  type ToolCall,
  type ToolTurn,
  type Turn,
  toolsFault,
  type UserTurn,
} from './chat-settings';

/** The path that the playground calls, like every client. */
export const CHAT_PATH = '/v1/chat/completions';

export function userTurn(text: string, images: readonly Image[]): UserTurn {
  return { id: newId(), role: 'user', text, images };
}

/** An answer in progress. */
export function runningTurn(): AssistantTurn {
  const nothing = { text: '', reasoning: '', toolCalls: [], failure: null, stats: null };
  return { id: newId(), role: 'assistant', state: 'running', ...nothing };
}

/** An answer that the person wrote for the model. */
export function writtenTurn(text: string): AssistantTurn {
  return { ...runningTurn(), text, state: 'written' };
}

export function toolTurn(call: ToolCall): ToolTurn {
  return { id: newId(), role: 'tool', text: '', call };
}

export function withText(turns: readonly Turn[], id: string, text: string): Turn[] {
  return turns.map((turn) => (turn.id === id ? { ...turn, text } : turn));
}

export function without(turns: readonly Turn[], id: string): Turn[] {
  return turns.filter((turn) => turn.id !== id);
}

/** The turn at its old position, as far as that still exists. */
export function withTurn(turns: readonly Turn[], turn: Turn, index: number): Turn[] {
  return turns.toSpliced(index, 0, turn);
}

/** The turns once no answer is running. */
export function settled(turns: readonly Turn[]): Turn[] {
  return turns.map(settledTurn);
}

export function settledTurn<T extends Turn>(turn: T): T {
  return turn.role === 'assistant' && turn.state === 'running' ? { ...turn, state: 'stopped' } : turn;
}

/** One step up or down. */
export function moved(turns: readonly Turn[], id: string, step: -1 | 1): readonly Turn[] {
  const from = turns.findIndex((turn) => turn.id === id);
  const [turn, other] = [turns[from], turns[from + step]];
  return turn && other ? turns.with(from, other).with(from + step, turn) : turns;
}

/** The turns before an answer that is repeated from here: up to a question, or up to before an answer. */
export function upTo(turns: readonly Turn[], id: string): Turn[] {
  const index = turns.findIndex((turn) => turn.id === id);
  return turns.slice(0, turns[index]?.role === 'assistant' ? index : index + 1);
}

/** The calls of the last answer without a tool result. */
export function openCalls(turns: readonly Turn[]): readonly ToolCall[] {
  const last = turns.findLastIndex(({ role }) => role === 'assistant');
  const turn = turns[last];
  if (turn?.role !== 'assistant') return [];
  const answered = new Set(turns.slice(last).flatMap((later) => (later.role === 'tool' ? later.call.id : [])));
  return turn.toolCalls.filter(({ id }) => !answered.has(id));
}

function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}

/** The request for the next answer, without what the model does not support. */
export function toChatRequest(settings: ChatSettings, turns: readonly Turn[], model?: ModelView): ChatRequest {
  const { temperature, topP, maxTokens, stop, seed, effort, stream } = settings;
  return {
    model: settings.model,
    messages: toMessages(settings.system, turns),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(maxTokens !== null && { max_completion_tokens: maxTokens }),
    ...(stop.length > 0 && { stop: [...stop] }),
    ...(seed !== null && { seed }),
    ...(effort !== null && can(model, 'reasoning') && { reasoning_effort: effort }),
    ...formatFields(settings, model),
    ...toolFields(settings, model),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

/**
 * The request of Send now: with the message being written, otherwise the last one; without any message, with a
 * placeholder.
 */
export function nextRequest({ settings, turns, draft }: Conversation, model?: ModelView): ChatRequest {
  const isWritten = draft.text.trim() !== '' || draft.images.length > 0;
  const requested = isWritten ? [...turns, userTurn(draft.text, draft.images)] : withoutAnswer(turns);
  return toChatRequest(settings, requested.length > 0 ? requested : [userTurn('Hello!', [])], model);
}

interface Conversation {
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  readonly draft: Draft;
}

/** Up to the last message that needs an answer. */
function withoutAnswer(turns: readonly Turn[]): readonly Turn[] {
  return turns.slice(0, turns.findLastIndex(({ role }) => role !== 'assistant') + 1);
}

/** The same with shortened images, for people. */
export function withShortImages<T>(value: T): T {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? shortened(item) : item));
  return JSON.parse(text) as T;
}

function shortened(text: string): string {
  const [head, content] = text.split(';base64,');
  return head?.startsWith('data:') && content && content.length > 48 ? `${head};base64,${content.slice(0, 24)}…` : text;
}

function formatFields({ format, schema }: ChatSettings, model?: ModelView): Partial<ChatRequest> {
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  if (format !== 'json_schema' || !can(model, 'json_schema') || schema.trim() === '' || schemaFault(schema)) return {};
  const answer = { name: 'answer', schema: JSON.parse(schema) as Record<string, unknown>, strict: true };
  return { response_format: { type: 'json_schema', json_schema: answer } };
}

function toolFields({ tools }: ChatSettings, model?: ModelView): Partial<ChatRequest> {
  if (!can(model, 'tools') || tools.trim() === '' || toolsFault(tools)) return {};
  const list = JSON.parse(tools) as NonNullable<ChatRequest['tools']>;
  return list.length > 0 ? { tools: list } : {};
}

function toMessages(system: string, turns: readonly Turn[]): ChatMessage[] {
  const spoken = turns.flatMap((turn) => toMessage(turn) ?? []);
  return system.trim() === '' ? spoken : [{ role: 'system', content: system }, ...spoken];
}

/** Null for a call without an answer. */
function toMessage(turn: Turn): ChatMessage | null {
  switch (turn.role) {
    case 'user':
      return { role: 'user', content: turn.images.length === 0 ? turn.text : withImages(turn.text, turn.images) };
    case 'tool':
      return { role: 'tool', content: turn.text, tool_call_id: turn.call.id };
    case 'assistant':
      if (turn.toolCalls.length > 0) {
        return { role: 'assistant', content: turn.text || null, tool_calls: turn.toolCalls.map(toCall) };
      }
      return turn.text === '' ? null : { role: 'assistant', content: turn.text };
  }
}

function withImages(text: string, images: readonly Image[]) {
  const parts = images.map(({ url }) => ({ type: 'image_url' as const, image_url: { url } }));
  return text === '' ? parts : [{ type: 'text' as const, text }, ...parts];
}

function toCall({ id, name, arguments: text }: ToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: text } };
}
