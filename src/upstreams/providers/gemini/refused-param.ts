import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { isObject, textOf } from '../../contract/json.js';

/** The API's fields, without case or underscores → the format's. */
const FIELDS: readonly (readonly [theirs: string, ours: string])[] = [
  ['temperature', 'temperature'],
  ['topp', 'top_p'],
  ['stopsequences', 'stop'],
  ['frequencypenalty', 'frequency_penalty'],
  ['presencepenalty', 'presence_penalty'],
  ['seed', 'seed'],
  ['candidatecount', 'n'],
  ['logprobs', 'logprobs'],
  ['responselogprobs', 'logprobs'],
  ['response', 'response_format'],
  ['thinking', 'reasoning_effort'],
  ['toolconfig', 'tool_choice'],
  ['tools', 'tools'],
  ['contents', 'messages'],
  ['systeminstruction', 'messages'],
];

/** How a message names a field. */
const NAMED = /\bGenerateContentRequest\.([\w.]+)|\bgeneration_?config\.(\w+)|\bat '([^']+)'/i;

/** The request's field that a refusal names, in its details or in its words; null where it names none. */
export function refusedParam(
  details: readonly unknown[],
  message: string,
  request: ChatCompletionRequest,
): string | null {
  const violations = details.flatMap((detail) => (isObject(detail) ? [detail.fieldViolations] : [])).flat();
  const violated = violations.map((violation) => (isObject(violation) ? textOf(violation.field) : undefined));
  const [, ...told] = NAMED.exec(message) ?? [];
  for (const path of [...violated, ...told]) {
    const param = path === undefined ? undefined : paramOf(path, request);
    if (param !== undefined) return param;
  }
  if (/\bpenalty\b/i.test(message)) return request.frequency_penalty != null ? 'frequency_penalty' : 'presence_penalty';
  return null;
}

function paramOf(path: string, request: ChatCompletionRequest): string | undefined {
  const field = path
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/^.*generationconfig\./, '');
  if (field.startsWith('maxoutputtokens')) {
    return request.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens';
  }
  return FIELDS.find(([theirs]) => field.startsWith(theirs))?.[1];
}
