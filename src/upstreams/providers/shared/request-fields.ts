import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { type JsonObject, objectOf } from '../../contract/json.js';

/** Request fields that all APIs support, if not all of their models. */
export const COMMON_FIELDS = [
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'response_format',
  'stop',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
] as const;

/** Undefined if the caller sets no limit. */
export function outputLimit({ max_completion_tokens: limit, max_tokens: older }: ChatCompletionRequest) {
  return limit ?? older ?? undefined;
}

/** The name of the field that sets the output limit, for errors. */
export function outputLimitField({ max_completion_tokens: limit }: ChatCompletionRequest): string {
  return limit == null ? 'max_tokens' : 'max_completion_tokens';
}

export function stopSequences({ stop }: ChatCompletionRequest): readonly string[] | undefined {
  return typeof stop === 'string' ? [stop] : (stop ?? undefined);
}

/** The number of an answer's tool calls to pass on, for APIs without this option. */
export function toolCallLimit({ parallel_tool_calls: parallel }: ChatCompletionRequest): number {
  return parallel === false ? 1 : Number.POSITIVE_INFINITY;
}

/**
 * Non-zero penalties. Few models support them. If the API refuses one, the call is repeated without it and the caller
 * is informed.
 */
export function penalties({ frequency_penalty, presence_penalty }: ChatCompletionRequest): JsonObject {
  return { ...(frequency_penalty && { frequency_penalty }), ...(presence_penalty && { presence_penalty }) };
}

/** Tiers other than `default` and `auto`. */
export const FLEX_AND_PRIORITY = ['flex', 'priority'] as const;

export function flexOrPriority({ service_tier: tier }: ChatCompletionRequest) {
  return FLEX_AND_PRIORITY.find((known) => known === tier);
}

/** Vendor fields in `extra_content`, which SDKs preserve in tool calls and messages, streamed or not. */
export type ExtraContent = { extra_content?: JsonObject };

/** A vendor's fields in an earlier tool call or message; `{}` if there are none. */
export function extraContent(of: object | undefined, vendor: string): JsonObject {
  const extra: unknown = of && 'extra_content' in of ? of.extra_content : undefined;
  return objectOf(objectOf(extra)[vendor]);
}
