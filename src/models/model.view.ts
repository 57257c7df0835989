import type { Model } from './model.types.js';

/** The APIs that a model of each kind can be called by; each target may support fewer. */
const APIS = { chat: ['chat.completions', 'responses', 'messages'], embedding: ['embeddings'] };

/**
 * An element of the plain array, with the five fields of the specification and no others. `name`: its id or an alias.
 */
export function toSummary({ tier, contextLength, displayName, description }: Model, name: string) {
  return { id: name, tier, context_len: contextLength, display_name: displayName, description };
}

/** A model in Anthropic's format (`ModelInfo` of @anthropic-ai/sdk); time 0 if its release is unknown. */
export function toAnthropicModel({ displayName, created }: Model, id: string) {
  return { type: 'model' as const, id, display_name: displayName, created_at: new Date(created * 1000).toISOString() };
}

/** A model in OpenAI's format, plus the fields that tools around it read. */
export function toListElement(model: Model, name: string) {
  const { input, cachedInput, output } = model.usdPerMTok;
  return {
    ...toSummary(model, name),
    object: 'model' as const,
    kind: model.kind,
    apis: APIS[model.kind],
    created: model.created,
    owned_by: model.ownedBy,
    context_length: model.contextLength,
    max_model_len: model.contextLength,
    max_output_tokens: model.maxOutputTokens,
    ...(model.kind === 'embedding' && { dimensions: model.dimensions, max_input_tokens: model.maxInputTokens }),
    modalities: { input: model.inputModalities, output: model.outputModalities },
    capabilities: model.capabilities ?? [],
    pricing: {
      currency: 'USD',
      unit: 'per million tokens',
      input,
      cached_input: cachedInput,
      output,
    },
    simulated: model.simulated,
  };
}
