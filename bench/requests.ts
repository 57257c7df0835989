/** The bodies that the load generator sends. */
import type { Format } from './traffic.ts';

/** `held`: a stream that the upstream pauses in the middle. */
export type RequestKind = 'json' | 'stream' | 'held' | 'conversation' | 'image';

/** Marks a stream that the upstream pauses. */
export const HOLD_MARK = 'Wait for me in the middle.';

const MODELS: Record<Format, string> = {
  openai: 'gpt-5.4-nano',
  anthropic: 'claude-haiku-4.5',
  responses: 'gpt-5.4-nano',
};
const IMAGE_BASE64_LENGTH = 5 * 1024 * 1024;
const TURNS = 100;
const WORDS_OF_A_TURN = 7;

const SYSTEM = 'You help the operators of a large web service. Answer in plain words, one short paragraph. ';
const QUESTION = 'Our job queue grows at noon and shrinks at night. What should we look at first? ';
const MORE = 'And please say how keep-alive connections change the picture for small requests.';

export function isStreamed(kind: RequestKind): boolean {
  return kind === 'stream' || kind === 'held';
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

/** About 1 kB by default. */
function messages(kind: RequestKind): object[] {
  if (kind === 'conversation') return conversation();
  if (kind === 'image') return [{ role: 'user', content: [{ type: 'text', text: QUESTION }, image()] }];
  return [
    { role: 'system', content: SYSTEM.repeat(3) },
    { role: 'user', content: QUESTION.repeat(3) },
    { role: 'user', content: kind === 'held' ? HOLD_MARK : MORE },
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
