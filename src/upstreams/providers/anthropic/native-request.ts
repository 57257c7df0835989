import { isObject, type JsonObject, type ReadonlyJsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { MIN_BUDGET } from '../shared/claude.js';
import { nativeFields } from '../shared/native/native-fields.js';

const FIELDS = {
  outputLimit: 'max_tokens',
  sampling: { temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', stop_sequences: 'stop' },
};

export function nativeRequestFields(call: ProviderCall, fields: ReadonlyJsonObject): JsonObject {
  const body = nativeFields(call, fields, FIELDS);
  if (body.max_tokens !== fields.max_tokens) fitThinking(body);
  return body;
}

/** A budget for thinking has a minimum, and must stay below an output limit that was lowered. */
function fitThinking(body: JsonObject): void {
  const { thinking, max_tokens: limit } = body;
  if (!isObject(thinking) || typeof thinking.budget_tokens !== 'number' || typeof limit !== 'number') return;
  if (thinking.budget_tokens < limit) return;
  body.thinking = limit > MIN_BUDGET ? { ...thinking, budget_tokens: limit - 1 } : { type: 'disabled' };
}
