import { textOfVector } from './api-wires.js';

/** An error as a client of an API reads it; Messages has no code. */
export interface ReadError {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
}

export interface ReadStream {
  readonly text: string;
  /** The error that ended the stream. */
  readonly error: ReadError | null;
  /** The stream ended as whole answers of the API end. */
  readonly isWhole: boolean;
}

/** The requests of an API's client, and how it reads the replies. */
export interface ApiClient {
  /** As the ledger names it. */
  readonly api: string;
  readonly headers: Record<string, string>;
  /** The field with the output ceiling. */
  readonly ceiling: string;
  /** A heartbeat within a stream. */
  readonly heartbeat: string;
  path(model: string): string;
  keyHeaders(key: string): Record<string, string>;
  question(model: string, text: string): Record<string, unknown>;
  textOf(answer: unknown): string;
  /** The error in the body of a reply. */
  errorOf(body: unknown): ReadError;
  readStream(sse: string): ReadStream;
}

interface SentEvent {
  readonly type?: string;
  readonly delta?: string | { readonly text?: string };
  readonly choices?: readonly { readonly text?: string; readonly delta?: { readonly content?: string | null } }[];
  readonly error?: ReadError;
  readonly code?: string;
  readonly message?: string;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const inError = (body: unknown) => (body as { error: ReadError }).error;

/** The events with data; `[DONE]` is left out. */
function eventsOf(sse: string): SentEvent[] {
  const data = [...sse.matchAll(/^data: (.*)$/gm)].map(([, text = '']) => text);
  return data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text) as SentEvent);
}

export const CHAT_CLIENT: ApiClient = {
  api: 'chat.completions',
  headers: {},
  ceiling: 'max_completion_tokens',
  heartbeat: ': ping\n\n',
  path: () => '/v1/chat/completions',
  keyHeaders: bearer,
  question: (model, text) => ({ model, messages: [{ role: 'user', content: text }] }),
  textOf: (answer) => (answer as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '',
  errorOf: inError,
  readStream: (sse) => {
    const events = eventsOf(sse);
    return {
      text: events.map(({ choices }) => choices?.[0]?.delta?.content ?? choices?.[0]?.text ?? '').join(''),
      error: events.at(-1)?.error ?? null,
      isWhole: sse.endsWith('data: [DONE]\n\n'),
    };
  },
};

export const TEXT_CLIENT: ApiClient = {
  ...CHAT_CLIENT,
  api: 'completions',
  ceiling: 'max_tokens',
  path: () => '/v1/completions',
  question: (model, prompt) => ({ model, prompt }),
  textOf: (answer) => (answer as { choices: { text: string }[] }).choices[0]?.text ?? '',
};

/** A client for Azure: the model is in the path. */
export function onAzure(client: ApiClient, pathOf: (model: string) => string): ApiClient {
  return {
    ...client,
    path: (model) => `${pathOf(model)}?api-version=2024-10-21`,
    keyHeaders: (key) => ({ 'api-key': key }),
    question: (model, text) => {
      const { model: named, ...rest } = client.question(model, text);
      return pathOf(model) === pathOf('') ? { model: named, ...rest } : rest;
    },
  };
}

export const RESPONSES_CLIENT: ApiClient = {
  api: 'responses',
  headers: {},
  ceiling: 'max_output_tokens',
  heartbeat: ': ping\n\n',
  path: () => '/v1/responses',
  keyHeaders: bearer,
  question: (model, input) => ({ model, input }),
  textOf: (answer) => (answer as { output: { content: { text: string }[] }[] }).output[0]?.content[0]?.text ?? '',
  errorOf: inError,
  readStream: (sse) => {
    const events = eventsOf(sse);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    const error = events.find(({ type }) => type === 'error');
    const isFailed = events.at(-1)?.type === 'response.failed';
    return {
      text: deltas.map(({ delta }) => delta).join(''),
      error: error && isFailed ? { type: 'error', code: error.code ?? '', message: error.message ?? '' } : null,
      isWhole: events.at(-1)?.type === 'response.completed',
    };
  },
};

export const MESSAGES_CLIENT: ApiClient = {
  api: 'messages',
  headers: { 'anthropic-version': '2023-06-01' },
  ceiling: 'max_tokens',
  heartbeat: 'event: ping\ndata: {"type":"ping"}\n\n',
  path: () => '/v1/messages',
  keyHeaders: (key) => ({ 'x-api-key': key }),
  question: (model, content) => ({ model, messages: [{ role: 'user', content }], max_tokens: 400 }),
  textOf: (answer) => (answer as { content: { text: string }[] }).content[0]?.text ?? '',
  errorOf: inError,
  readStream: (sse) => {
    const events = eventsOf(sse);
    const deltas = events.filter(({ type }) => type === 'content_block_delta');
    const last = events.at(-1);
    return {
      text: deltas.map(({ delta }) => (typeof delta === 'object' ? delta.text : '')).join(''),
      error: last?.type === 'error' ? (last.error ?? null) : null,
      isWhole: last?.type === 'message_stop',
    };
  },
};

export const EMBEDDINGS_CLIENT: ApiClient = {
  ...CHAT_CLIENT,
  api: 'embeddings',
  ceiling: '',
  path: () => '/v1/embeddings',
  question: (model, input) => ({ model, input }),
  textOf: (answer) => textOfVector((answer as { data: { embedding: number[] }[] }).data[0]?.embedding ?? []),
};
