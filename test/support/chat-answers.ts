import { json, pause, type Script, type Step, sse } from './script.js';

export interface RawUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens: number };
  completion_tokens_details?: { reasoning_tokens: number };
}

export const USAGE: RawUsage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };

const COMMON = { id: 'chatcmpl-upstream', created: 1_700_000_000, model: 'gpt-upstream' };

/** A whole answer in OpenAI's format; `usage: null` omits usage. */
export function completion(content = 'Hello there!', usage: RawUsage | null = USAGE): Script {
  return json(200, {
    ...COMMON,
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop', logprobs: null },
    ],
    ...(usage && { usage }),
  });
}

/** A streamed answer in OpenAI's format: each text is a chunk, steps run in their place. */
export function stream(
  texts: readonly (string | Step)[] = ['Hello', ' there!'],
  { usage = USAGE, finish = 'stop' }: { usage?: RawUsage | null; finish?: string | null } = {},
): Script {
  return sse([
    chunkOf({ role: 'assistant', content: '', refusal: null }),
    ...texts.map((text) => (typeof text === 'string' ? chunkOf({ content: text }) : text)),
    ...(finish ? [chunkOf({}, finish)] : []),
    ...(usage ? [{ ...COMMON, object: 'chat.completion.chunk', choices: [], usage }] : []),
  ]);
}

/** Answers a request as requested (streamed or not), after a pause (ms) or another step. */
export function answerTo(request: { json(): unknown }, wait: number | Step = 0): Script {
  const { stream: streamed } = request.json() as { stream?: boolean };
  const step = typeof wait === 'number' ? pause(wait) : wait;
  return streamed ? stream(['Hello', step, ' there!']) : [step, completion()];
}

export function refusal(status: number, message = 'No.', headers: Record<string, string> = {}): Script {
  return json(status, { error: { message, type: 'server_error', param: null, code: null } }, headers);
}

export function chunkOf(delta: object, finish: string | null = null): object {
  return {
    ...COMMON,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  };
}
