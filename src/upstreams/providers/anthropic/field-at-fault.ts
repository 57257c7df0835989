import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** The API's top-level fields under the caller's names. */
const CALLERS_NAMES: ReadonlyMap<string, string> = new Map([
  ['messages', 'messages'],
  ['system', 'messages'],
  ['tools', 'tools'],
  ['tool_choice', 'tool_choice'],
  ['temperature', 'temperature'],
  ['top_p', 'top_p'],
  ['top_k', 'top_k'],
  ['frequency_penalty', 'frequency_penalty'],
  ['presence_penalty', 'presence_penalty'],
  ['stop_sequences', 'stop'],
  ['thinking', 'reasoning_effort'],
  ['metadata', 'user'],
]);

/**
 * The caller's field that an error message names: as the path that it begins with, or in back quotes (the last of them,
 * since of two fields that exclude each other the model can do without the second).
 */
export function fieldAtFault(message: string, request: ChatCompletionRequest): string | null {
  const [, leading] = /^([a-z_]+)(?:\.[\w.]+)?: /.exec(message) ?? [];
  const quoted = [...message.matchAll(/`([a-z_]+)(?:\.[\w.]+)?`/g)].map(([, field]) => field);
  for (const field of [leading, ...quoted.reverse()]) {
    const name = field === undefined ? undefined : callersName(field, message, request);
    if (name !== undefined) return name;
  }
  return /\beffort level\b/.test(message) ? 'reasoning_effort' : null;
}

function callersName(field: string, message: string, request: ChatCompletionRequest): string | undefined {
  if (field === 'max_tokens') return request.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens';
  if (field === 'output_config')
    return message.includes('output_config.effort') ? 'reasoning_effort' : 'response_format';
  return CALLERS_NAMES.get(field);
}
