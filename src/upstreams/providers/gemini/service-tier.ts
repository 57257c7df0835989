import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { flexOrPriority } from '../service-tier.js';

/** `serviceTier` beside `contents`, as Google's SDK sends it to the Gemini API. */
export function tierField(call: ProviderCall): JsonObject {
  const tier = isVertex(call) ? undefined : flexOrPriority(call.request);
  return tier ? { serviceTier: tier } : {};
}

/** Vertex AI is told by a header (docs.cloud.google.com, "Flex PayGo" and "Priority PayGo"). */
export function tierHeaders(call: ProviderCall): Record<string, string> {
  const tier = isVertex(call) ? flexOrPriority(call.request) : undefined;
  return tier ? { 'x-vertex-ai-llm-shared-request-type': tier } : {};
}

function isVertex({ settings }: ProviderCall): boolean {
  return settings.project !== undefined;
}
