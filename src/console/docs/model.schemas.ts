import { flag, integer, type JsonSchema, list, number, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { complete, schemaRef } from './document.types.js';

const summary: Record<string, JsonSchema> = {
  id: text('The value of `model` in requests; it can contain slashes.'),
  tier: text('A plan includes the models of its tiers.'),
  context_len: integer('The context length in tokens: question, history and answer.'),
  display_name: text(),
  description: text(),
};

const details: Record<string, JsonSchema> = {
  object: oneOf(['model']),
  kind: oneOf(['chat', 'embedding']),
  apis: list(text(), 'The APIs that it can be called by: `chat.completions`, `responses`, `messages`, `embeddings`.'),
  created: integer('Unix seconds; 0 if unknown.'),
  owned_by: text(),
  context_length: integer('The same as `context_len`, under another common name.'),
  max_model_len: integer('The same as `context_len`.'),
  max_output_tokens: orNull(integer('The longest answer, in tokens; null if unknown.')),
  modalities: complete({ input: list(text()), output: list(text()) }),
  capabilities: list(text(), 'A subset of `image_input`, `tools`, `json_schema` and `reasoning`.'),
  pricing: complete({
    currency: oneOf(['USD']),
    unit: oneOf(['per million tokens']),
    input: number('Per million input tokens.'),
    cached_input: number('Per million input tokens read from the provider’s cache.'),
    output: number('Per million output tokens.'),
  }),
  simulated: flag('Answered by the built-in simulator, because no provider is connected for it.'),
};

/** Only of embedding models. */
const ofEmbeddings: Record<string, JsonSchema> = {
  dimensions: integer('The numbers in a vector.'),
  max_input_tokens: integer('The longest input, in tokens.'),
};

/** The two formats of a model. */
export const modelSchemas: Record<string, JsonSchema> = {
  ModelSummary: complete(summary, 'A model in the format for plain clients.'),
  Model: object(
    { ...summary, ...details, ...ofEmbeddings },
    Object.keys({ ...summary, ...details }),
    'A model in OpenAI’s format.',
  ),
  ModelList: complete({ object: oneOf(['list']), data: list(schemaRef('Model')) }, 'OpenAI’s list of models.'),
};
