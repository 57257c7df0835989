import type { ProviderAdapter } from '../contract/provider.adapter.js';
import type { AvailableFraming } from '../framing/framing.js';
import { anthropicAdapter } from './anthropic/anthropic.adapter.js';
import { azureDialect, azureResponses, hasResponses } from './azure/azure.dialect.js';
import { bedrockAdapter } from './bedrock/bedrock.adapter.js';
import { cohereAdapter } from './cohere/cohere.adapter.js';
import { deepseekDialect } from './deepseek/deepseek.dialect.js';
import { geminiAdapter } from './gemini/gemini.adapter.js';
import { groqDialect } from './groq/groq.dialect.js';
import { mistralDialect } from './mistral/mistral.dialect.js';
import { ollamaDialect } from './ollama/ollama.dialect.js';
import { openAiAdapter } from './openai/openai.adapter.js';
import { openAiDialect } from './openai/openai.dialect.js';
import { openAiCompatibleDialect } from './openai-compatible/openai-compatible.dialect.js';
import {
  compatibleSurface,
  nativeResponses,
  type ResponsesSurface,
  responsesSurface,
} from './openai-responses/native.api.js';
import { chatOrResponses, openAiResponses } from './openai-responses/responses.adapter.js';
import { openRouterDialect } from './openrouter/openrouter.dialect.js';
import { perplexityDialect } from './perplexity/perplexity.dialect.js';
import { withLegacyFunctions, withUnforcedTools } from './shared/legacy-functions.adapter.js';
import { togetherDialect } from './together/together.dialect.js';
import { vllmDialect } from './vllm/vllm.dialect.js';
import { xaiDialect } from './xai/xai.dialect.js';

/** An adapter whose framing has a parser. */
export type ListedAdapter = ProviderAdapter & { readonly framing: AvailableFraming };

const responses = (surface: ResponsesSurface) => withLegacyFunctions(openAiResponses(surface));

const chatAndResponses = (dialect: Parameters<typeof nativeResponses>[0]) =>
  openAiAdapter(dialect, nativeResponses(dialect));

/**
 * All upstream APIs. Add an API here to enable it; `provider.contract.spec.ts` tests all of them. The fields of a
 * dialect are in `openai/dialect.ts`, the authentication schemes in `upstreams/client/auth/`.
 */
export const PROVIDERS: readonly ListedAdapter[] = [
  chatOrResponses(openAiAdapter(openAiDialect), responses(responsesSurface)),
  anthropicAdapter,
  geminiAdapter,
  bedrockAdapter,
  cohereAdapter,
  chatOrResponses(openAiAdapter(azureDialect), responses(azureResponses), hasResponses),
  openAiAdapter(mistralDialect),
  openAiAdapter(deepseekDialect),
  chatAndResponses(xaiDialect),
  openAiAdapter(groqDialect),
  chatAndResponses(openRouterDialect),
  openAiAdapter(togetherDialect),
  chatAndResponses(ollamaDialect),
  chatAndResponses(vllmDialect),
  openAiAdapter(perplexityDialect),
  openAiResponses(compatibleSurface),
  openAiAdapter(openAiCompatibleDialect),
].map((adapter) => withLegacyFunctions(withUnforcedTools(adapter)));
