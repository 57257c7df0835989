import { stream as chatStream, chunkOf, completion, USAGE } from './chat-answers.js';
import { chunk, head, json, lastChunk, type Script, type Step, sse } from './script.js';

/** How an upstream answers in one protocol, with the usage of `USAGE`. */
export interface UpstreamWire {
  /** The protocol in upstreams.yaml. */
  readonly protocol: string;
  /** Where a request arrives, below the upstream's address. */
  readonly path: string;
  /** The request's field with the output ceiling. */
  readonly ceiling: string;
  answer(text: string): Script;
  /** Each text is an event, steps run in their place. */
  stream(items: readonly (string | Step)[]): Script;
  /** One more event with a text. */
  textEvent(text: string): string;
}

const MODEL = 'up';

/** The text of embeddings: their numbers are its bytes. */
export const textOfVector = (vector: readonly number[]) => Buffer.from(vector).toString();

export const CHAT_WIRE: UpstreamWire = {
  protocol: 'openai',
  path: '/v1/chat/completions',
  ceiling: 'max_completion_tokens',
  answer: (text) => completion(text),
  stream: (items) => chatStream(items),
  textEvent: (content) => `data: ${JSON.stringify(chunkOf({ content }))}\n\n`,
};

/** The same from a server that has nothing but Chat Completions. */
export const COMPATIBLE_WIRE: UpstreamWire = { ...CHAT_WIRE, protocol: 'openai-compatible', ceiling: 'max_tokens' };

const textChoice = (text: string, finish: string | null = null) => ({
  object: 'text_completion',
  model: MODEL,
  choices: [{ text, index: 0, logprobs: null, finish_reason: finish }],
});

export const TEXT_WIRE: UpstreamWire = {
  protocol: 'openai',
  path: '/v1/completions',
  ceiling: 'max_tokens',
  answer: (text) => json(200, { ...textChoice(text, 'stop'), usage: USAGE }),
  stream: (items) => {
    const events = items.map((item) => (typeof item === 'string' ? textChoice(item) : item));
    return sse([...events, textChoice('', 'stop'), { ...textChoice(''), choices: [], usage: USAGE }]);
  },
  textEvent: (text) => `data: ${JSON.stringify(textChoice(text))}\n\n`,
};

export const EMBEDDINGS_WIRE: UpstreamWire = {
  protocol: 'openai',
  path: '/v1/embeddings',
  ceiling: '',
  answer: (text) =>
    json(200, {
      object: 'list',
      model: MODEL,
      data: [{ object: 'embedding', index: 0, embedding: [...Buffer.from(text)] }],
      usage: { prompt_tokens: USAGE.prompt_tokens, total_tokens: USAGE.prompt_tokens },
    }),
  stream: noStream,
  textEvent: noStream,
};

function noStream(): never {
  throw new Error('embeddings are not streamed');
}

const message = (text: string) => ({
  type: 'message',
  id: 'msg_up',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

function response(status: string, texts: readonly string[]): object {
  const usage = {
    input_tokens: USAGE.prompt_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: USAGE.completion_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE.total_tokens,
  };
  const isWhole = status === 'completed';
  return {
    id: 'resp_up',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: MODEL,
    output: isWhole ? [message(texts.join(''))] : [],
    store: false,
    usage: isWhole ? usage : null,
  };
}

const place = { item_id: 'msg_up', output_index: 0, content_index: 0 };
const responsesDelta = (delta: string) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] });

export const RESPONSES_WIRE: UpstreamWire = {
  protocol: 'openai',
  path: '/v1/responses',
  ceiling: 'max_output_tokens',
  answer: (text) => json(200, response('completed', [text])),
  stream: (items) => {
    const texts = items.filter((item) => typeof item === 'string');
    const empty = { ...message(''), status: 'in_progress', content: [] };
    const part = { type: 'output_text', text: '', annotations: [] };
    const text = texts.join('');
    return numbered([
      { type: 'response.created', response: response('in_progress', []) },
      { type: 'response.in_progress', response: response('in_progress', []) },
      { type: 'response.output_item.added', output_index: 0, item: empty },
      { type: 'response.content_part.added', ...place, part },
      ...items.map((item) => (typeof item === 'string' ? responsesDelta(item) : item)),
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: { ...part, text } },
      { type: 'response.output_item.done', output_index: 0, item: message(text) },
      { type: 'response.completed', response: response('completed', texts) },
    ]);
  },
  textEvent: (text) => eventText({ ...responsesDelta(text), sequence_number: 5 }),
};

const messagesDelta = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});

export const MESSAGES_WIRE: UpstreamWire = {
  protocol: 'anthropic',
  path: '/v1/messages',
  ceiling: 'max_tokens',
  answer: (text) => json(200, { ...anthropic([{ type: 'text', text }]), stop_reason: 'end_turn' }),
  stream: (items) =>
    events([
      { type: 'message_start', message: { ...anthropic([]), stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...items.map((item) => (typeof item === 'string' ? messagesDelta(item) : item)),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: USAGE.completion_tokens },
      },
      { type: 'message_stop' },
    ]),
  textEvent: (text) => eventText(messagesDelta(text)),
};

function anthropic(content: object[]): object {
  const usage = { input_tokens: USAGE.prompt_tokens, output_tokens: USAGE.completion_tokens };
  return { id: 'msg_up', type: 'message', role: 'assistant', model: MODEL, content, stop_sequence: null, usage };
}

interface TypedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function numbered(items: readonly (TypedEvent | Step)[]): Script {
  let number = 0;
  return events(items.map((item) => (isStep(item) ? item : { ...item, sequence_number: number++ })));
}

function events(items: readonly (TypedEvent | Step)[]): Script {
  return [
    head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }),
    ...items.map((item) => (isStep(item) ? item : chunk(eventText(item)))),
    lastChunk(),
  ];
}

function eventText(event: TypedEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function isStep(item: TypedEvent | Step): item is Step {
  return typeof item === 'function';
}
