/** The bodies that the load generator sends. */
/** The answers of the upstream, the same in every run. */

/** Of an API: `openai` is Chat Completions. */
export type Format = 'openai' | 'anthropic' | 'responses';

const UPSTREAM_MODEL = 'gpt-6-luna-2026-09-22';
const CREATED = 1_780_000_000;

/** Events with text in a streamed answer, in addition to those with role, finish reason and usage. */
export const TEXT_EVENTS = 100;

export const TOTAL_TOKENS = 312;
const USAGE = {
  prompt_tokens: TOTAL_TOKENS - TEXT_EVENTS,
  completion_tokens: TEXT_EVENTS,
  total_tokens: TOTAL_TOKENS,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

export const JSON_TEXT =
  'Keep-alive spares the two round trips that a new connection costs, so short requests finish sooner and servers hold fewer sockets in TIME_WAIT.';

const WORDS = ['the ', 'queue ', 'drains ', 'before ', 'a ', 'worker ', 'stops ', 'and ', 'nothing ', 'is lost, '];
const PIECES = Array.from({ length: TEXT_EVENTS }, (_, i) => WORDS[i % WORDS.length] ?? '');
export const STREAM_TEXT = PIECES.join('');

export const jsonAnswer = JSON.stringify({
  id: 'chatcmpl-C0ffee7Q1b2D3e4F5g6H7i8J9k0Lm',
  object: 'chat.completion',
  created: CREATED,
  model: UPSTREAM_MODEL,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: JSON_TEXT, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: USAGE,
  service_tier: 'default',
  system_fingerprint: null,
});

/** The events of a streamed answer in order, one string each; the last is `[DONE]`. */
export function streamEvents(): string[] {
  return [
    event([{ delta: { role: 'assistant', content: '', refusal: null } }]),
    ...PIECES.map((content) => event([{ delta: { content } }])),
    event([{ delta: {}, finish_reason: 'stop' }]),
    event([], USAGE),
    'data: [DONE]\n\n',
  ];
}

function event(choices: { delta: object; finish_reason?: string }[], usage: object | null = null): string {
  const chunk = {
    id: 'chatcmpl-C0ffee7Q1b2D3e4F5g6H7i8J9k0Lm',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: UPSTREAM_MODEL,
    service_tier: 'default',
    system_fingerprint: null,
    choices: choices.map(({ delta, finish_reason = null }) => ({ index: 0, delta, logprobs: null, finish_reason })),
    usage,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** `long`: with a prompt of 4 kB. `paused`: a stream that the upstream pauses in the middle. */
export type RequestKind = 'json' | 'long' | 'stream' | 'paused' | 'conversation' | 'image';

/** Marks a stream that the upstream pauses. */
export const HOLD_MARK = 'Wait for me in the middle.';

const MODELS: Record<Format, string> = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5.5',
  responses: 'gpt-6-luna',
};
const IMAGE_BASE64_LENGTH = 5 * 1024 * 1024;
const TURNS = 100;
const WORDS_OF_A_TURN = 7;

const SYSTEM = 'You help the operators of a large web service. Answer in plain words, one short paragraph. ';
const QUESTION = 'Our job queue grows at noon and shrinks at night. What should we look at first? ';
const MORE = 'And please say how keep-alive connections change the picture for small requests.';

export function isStreamed(kind: RequestKind): boolean {
  return kind === 'stream' || kind === 'paused';
}

/** A request in `format` for a model whose upstream has an API of the format `upstream`. */
export function requestBody(kind: RequestKind, upstream: Format, format: Format = 'openai'): string {
  const model = MODELS[upstream];
  return JSON.stringify({
    model,
    ...FIELDS[format](kind),
    temperature: 0.7,
    ...(isStreamed(kind) && { stream: true }),
  });
}

const FIELDS: Record<Format, (kind: RequestKind) => object> = {
  openai: (kind) => ({
    messages: messages(kind),
    max_tokens: 500,
    user: 'operator-7',
    ...(isStreamed(kind) && { stream_options: { include_usage: true } }),
  }),
  anthropic: (kind) => ({
    system: SYSTEM.repeat(3),
    messages: messages(kind).slice(1),
    max_tokens: 500,
    metadata: { user_id: 'operator-7' },
  }),
  responses: (kind) => ({
    instructions: SYSTEM.repeat(3),
    input: messages(kind).slice(1),
    max_output_tokens: 500,
    user: 'operator-7',
  }),
};

/** Prose with figures, times, an address of a page and code, as prompts have them; nothing that a guard finds. */
const LONG_PARAGRAPH =
  'Since 12:30 on 2026-11-27, version 4.17.21 of the worker (build 8f14e45fceea167a) handles 1,250 jobs a minute; ' +
  'before, it were 980. See https://wiki.example.com/ops/queues#limits and `const limit = Math.min(64, free / 2);` ' +
  'in queue.ts, line 214. We pay $0.25 for 1000 calls, 35% less than in 2025. ';
const LONG_PROMPT = `${QUESTION}\n${LONG_PARAGRAPH.repeat(11)}\n${MORE}`;

/** About 1 kB by default. */
function messages(kind: RequestKind): object[] {
  if (kind === 'conversation') return conversation();
  if (kind === 'long')
    return [
      { role: 'system', content: SYSTEM.repeat(3) },
      { role: 'user', content: LONG_PROMPT },
    ];
  if (kind === 'image') return [{ role: 'user', content: [{ type: 'text', text: QUESTION }, image()] }];
  return [
    { role: 'system', content: SYSTEM.repeat(3) },
    { role: 'user', content: QUESTION.repeat(3) },
    { role: 'user', content: kind === 'paused' ? HOLD_MARK : MORE },
  ];
}

/** 200 messages, 100 kB in total. */
function conversation(): object[] {
  return Array.from({ length: TURNS }, (_, turn) => [
    { role: 'user', content: `${turn}: ${QUESTION.repeat(WORDS_OF_A_TURN - 2)}\n"${MORE}"` },
    { role: 'assistant', content: `${turn}. ${MORE.repeat(WORDS_OF_A_TURN - 1)}` },
  ]).flat();
}

function image(): object {
  const data = Buffer.alloc((IMAGE_BASE64_LENGTH * 3) / 4, 'An image of many colours').toString('base64');
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };
}

const INPUT_USAGE = {
  input_tokens: TOTAL_TOKENS - TEXT_EVENTS,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const MESSAGE = {
  id: 'msg_01Q1b2D3e4F5g6H7i8J9k0Lm',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-5-5',
};

/** The answer of `jsonAnswer` in the format of Anthropic's Messages API. */
export function anthropicAnswer(): string {
  return JSON.stringify({
    ...MESSAGE,
    content: [{ type: 'text', text: JSON_TEXT }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...INPUT_USAGE, output_tokens: TEXT_EVENTS, service_tier: 'standard' },
  });
}

/** The answer of `streamEvents` in the format of Anthropic's Messages API, one string for each event. */
export function anthropicEvents(): string[] {
  return [
    anthropicEvent('message_start', {
      message: {
        ...MESSAGE,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...INPUT_USAGE, output_tokens: 1, service_tier: 'standard' },
      },
    }),
    anthropicEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    anthropicEvent('ping'),
    ...PIECES.map((text) => anthropicEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    anthropicEvent('content_block_stop', { index: 0 }),
    anthropicEvent('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { ...INPUT_USAGE, output_tokens: TEXT_EVENTS },
    }),
    anthropicEvent('message_stop'),
  ];
}

function anthropicEvent(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const RESPONSES_USAGE = {
  input_tokens: TOTAL_TOKENS - TEXT_EVENTS,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: TEXT_EVENTS,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: TOTAL_TOKENS,
};
const ITEM_ID = 'msg_0c0ffee7a1b2d3e4f5a6b7c8d9e0f1a2';
const PLACE = { item_id: ITEM_ID, output_index: 0, content_index: 0 };

/** The answer of `jsonAnswer` in the format of OpenAI's Responses API. */
export function responsesAnswer(): string {
  return JSON.stringify(response('completed', [message('completed', JSON_TEXT)], RESPONSES_USAGE));
}

/** The answer of `streamEvents`, one string for each event. */
export function responsesEvents(): string[] {
  const events: [type: string, fields: object][] = [
    ['response.created', { response: response('in_progress') }],
    ['response.in_progress', { response: response('in_progress') }],
    ['response.output_item.added', { output_index: 0, item: message('in_progress') }],
    ['response.content_part.added', { ...PLACE, part: part('') }],
    ...PIECES.map((delta): [string, object] => ['response.output_text.delta', { ...PLACE, delta, logprobs: [] }]),
    ['response.output_text.done', { ...PLACE, text: STREAM_TEXT, logprobs: [] }],
    ['response.content_part.done', { ...PLACE, part: part(STREAM_TEXT) }],
    ['response.output_item.done', { output_index: 0, item: message('completed', STREAM_TEXT) }],
    ['response.completed', { response: response('completed', [message('completed', STREAM_TEXT)], RESPONSES_USAGE) }],
  ];
  return events.map(
    ([type, fields], at) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: at, ...fields, ...padding(type, at) })}\n\n`,
  );
}

/** As OpenAI hides the length of each piece. */
function padding(type: string, at: number): object {
  return type.endsWith('.delta') ? { obfuscation: 'k3J9xQ2mVb7LtR'.slice(at % 14) } : {};
}

function response(status: string, output: object[] = [], usage: object | null = null): object {
  return {
    id: 'resp_0c0ffee7a1b2d3e4f5a6b7c8d9e0f1a2',
    object: 'response',
    created_at: CREATED,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: 500,
    model: UPSTREAM_MODEL,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 0.7,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage,
    user: null,
    metadata: {},
  };
}

function message(status: string, text?: string): object {
  return { id: ITEM_ID, type: 'message', status, role: 'assistant', content: text === undefined ? [] : [part(text)] };
}

function part(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
