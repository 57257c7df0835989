import { invalidRequest } from '../../common/gateway.error.js';
import type { AssistantMessage } from '../contract/chat.types.js';
import type { ProviderCall } from '../contract/provider.adapter.js';
import { claudeVersion } from './claude.js';

/** Since when a model refuses to go on with its own words: "This model does not support assistant message prefill." */
const FIRST_WITHOUT_PREFILL = 406;

/**
 * Whether the conversation ends in the beginning of the model's answer ("prefill"), which Claude goes on with. Throws
 * where it does and the model takes none, alone or beside a JSON schema: the API wants the user last then.
 */
export function hasPrefill({ request, model, upstreamModel }: ProviderCall): boolean {
  const { messages, response_format: format } = request;
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || !hasWordsAlone(last)) return false;
  const field = `messages[${messages.length - 1}]`;
  if (claudeVersion(upstreamModel) >= FIRST_WITHOUT_PREFILL) {
    const words = `The model '${model}' cannot go on with an answer that has begun. End with a user message.`;
    throw invalidRequest('unsupported_value', field, words);
  }
  if (format?.type === 'json_schema') {
    const words = `The model '${model}' cannot go on with an answer and follow a JSON schema. End with a user message.`;
    throw invalidRequest('unsupported_value', field, words);
  }
  return true;
}

function hasWordsAlone({ content, refusal, tool_calls: calls }: AssistantMessage): boolean {
  if (calls && calls.length > 0) return false;
  const parts = typeof content === 'string' ? [content] : (content ?? []).map(textOfPart);
  return [...parts, refusal ?? ''].some((text) => text.trim() !== '');
}

function textOfPart(part: Exclude<NonNullable<AssistantMessage['content']>, string>[number]): string {
  return part.type === 'refusal' ? part.refusal : part.text;
}

/** Blocks whose last text ends in no white space: "final assistant content cannot end with trailing whitespace". */
export function trimEnd(blocks: readonly object[] = []): void {
  const last = blocks.at(-1);
  if (last && 'text' in last && typeof last.text === 'string') last.text = last.text.trimEnd();
}
