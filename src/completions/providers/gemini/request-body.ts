import type { JsonObject } from '../json.js';
import type { ProviderCall } from '../provider.adapter.js';
import { conversationOf } from './conversation.js';
import { generationConfig } from './generation-config.js';
import { toolFields } from './tools.js';

/** The body for a call; what the caller sent is handed on by reference, never changed. */
export function requestBody(call: ProviderCall): JsonObject {
  const config = generationConfig(call);
  return { ...conversationOf(call), ...toolFields(call), ...(config && { generationConfig: config }) };
}
