import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { outputLimit, outputLimitField } from '../shared/request-fields.js';
import { unsupported } from '../shared/unsupported.js';

/** Chat Completions fields that the API does not have, with a test for values with an effect. */
const LACKING: readonly (readonly [field: string, says: (value: unknown) => boolean])[] = [
  ['stop', () => true],
  ['n', (value) => value !== 1],
  ['frequency_penalty', (value) => value !== 0],
  ['presence_penalty', (value) => value !== 0],
  ['seed', () => true],
  ['logit_bias', (value) => Object.keys(value as object).length > 0],
  ['prediction', () => true],
  ['audio', () => true],
  ['modalities', (value) => Array.isArray(value) && value.includes('audio')],
];

/** "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16". */
const MIN_OUTPUT_TOKENS = 16;

/** The first field or content part of a request that the Responses API does not support. */
export function unsupportedField(request: ChatCompletionRequest): string | undefined {
  for (const [field, says] of LACKING) {
    const value = request[field];
    if (value !== undefined && value !== null && says(value)) return field;
  }
  const limit = outputLimit(request);
  return limit !== undefined && limit < MIN_OUTPUT_TOKENS ? outputLimitField(request) : audioPart(request);
}

export function refuseUnsupported(request: ChatCompletionRequest): void {
  const field = unsupportedField(request);
  if (field === undefined) return;
  const remedy = /^max/.test(field) ? `Set it to ${MIN_OUTPUT_TOKENS} or more` : 'Leave it out';
  const message = `This model's API cannot serve '${field}' in this request. ${remedy}, or choose another model.`;
  throw unsupported(field, message);
}

function audioPart({ messages }: ChatCompletionRequest): string | undefined {
  for (const [position, message] of messages.entries()) {
    if (message.role === 'assistant' && message.audio != null) return `messages[${position}].audio`;
    if (!Array.isArray(message.content)) continue;
    const index = message.content.findIndex(({ type }) => type === 'input_audio');
    if (index >= 0) return `messages[${position}].content[${index}]`;
  }
  return undefined;
}
