import { GatewayError } from '../../src/common/gateway.error.js';
import {
  unsupportedFeatureError,
  unsupportedFeatures,
} from '../../src/completions/admission/servable-targets.service.js';
import { servedMessages } from '../../src/completions/admission/served-messages.js';
import { toChatRequest } from '../../src/completions/formats/chat-completion-request.js';
import { faultError, foreignValueIn } from '../../src/completions/formats/checks.js';
import type { ChatCompletionRequest } from '../../src/upstreams/contract/chat.types.js';
import { type ListedAdapter, PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { schemaFaults } from './openai-schema.js';
import { providerCall } from './provider-call.js';
import { bodyFaults, type PublishedSchema } from './provider-schema.js';

/** Where a body is sent, and how it is validated. */
export interface Destination {
  name: string;
  adapter: ListedAdapter;
  settings: Record<string, string>;
  model: string;
  schema: PublishedSchema | 'openai';
}

/** Models of each API that are treated differently, a typical one first. */
const MODELS: Readonly<Partial<Record<PublishedSchema, readonly string[]>>> = {
  anthropic: ['claude-sonnet-5', 'claude-haiku-4-5'],
  bedrock: ['anthropic.claude-haiku-4-5-20251001-v1:0', 'us.amazon.nova-lite-v1:0'],
  cohere: ['command-a-plus-05-2026'],
  gemini: ['gemini-3.6-flash', 'gemini-2.5-flash'],
  groq: ['llama-3.3-70b-versatile', 'openai/gpt-oss-120b', 'qwen/qwen3-32b', 'qwen/qwen3.8-27b'],
  mistral: ['mistral-medium-2604'],
  'openai-responses': ['gpt-5.6-sol'],
  perplexity: ['sonar-reasoning-pro'],
  together: ['deepseek-ai/DeepSeek-V3.1', 'openai/gpt-oss-120b'],
};

/** Every API with each of these models; `vertex` is gemini with a project. */
export const DESTINATIONS: readonly Destination[] = PROVIDERS.flatMap((adapter) => {
  const name = adapter.protocol;
  const models = MODELS[name as PublishedSchema];
  if (!models) return [{ name, adapter, settings: {}, model: 'upstream-model', schema: 'openai' }];
  return models.flatMap((model): Destination[] => {
    const destination = { name, adapter, settings: {}, model, schema: name as PublishedSchema };
    if (name !== 'gemini') return [destination];
    const settings = { project: 'p', location: 'l' };
    return [destination, { ...destination, name: 'vertex', settings, schema: 'vertex' }];
  });
});

/** Every API with a typical model. */
export const TYPICAL_DESTINATIONS = DESTINATIONS.filter(
  ({ name }, index) => index === DESTINATIONS.findIndex((other) => other.name === name),
);

/** The upstream body as JSON, or why there is none. */
export function bodyAt({ adapter, model, settings }: Destination, fields: Partial<ChatCompletionRequest>): unknown {
  try {
    const request = toChatRequest({ model: 'public-model', ...structuredClone(fields) });
    const served = servedMessages(request.messages, adapter.capabilities.tool_images === true);
    const call = providerCall(served ? { ...request, messages: served.messages } : request);
    const [unsupported] = unsupportedFeatures(call.request, { capabilities: null }, adapter.capabilities);
    if (unsupported) throw unsupportedFeatureError(call.model, unsupported);
    const foreign = adapter.takesForeignValues ? null : foreignValueIn(call.request);
    if (foreign) throw faultError(foreign);
    const { body } = adapter.toRequest({ ...call, upstreamModel: model, settings });
    return JSON.parse(JSON.stringify(body));
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

export function faultsOf({ schema }: Destination, body: unknown): string[] {
  if (schema !== 'openai') return bodyFaults(schema, body);
  // Some calls to OpenAI upstreams use the Responses API.
  if (Object(body).input) return bodyFaults('openai-responses', body);
  // In the package openai, but not in the published document yet.
  const published = JSON.stringify(body).replaceAll('"detail":"original"', '"detail":"high"');
  return schemaFaults('request', JSON.parse(published));
}
