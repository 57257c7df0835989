/** The answers of the upstream, the same in every run. */

/** Of an API: `openai` is Chat Completions. */
export type Format = 'openai' | 'anthropic' | 'responses';

export const UPSTREAM_MODEL = 'gpt-5.4-nano-2026-03-17';
export const CREATED = 1_780_000_000;

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
export const PIECES = Array.from({ length: TEXT_EVENTS }, (_, i) => WORDS[i % WORDS.length] ?? '');
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
