import { flag, integer, type JsonSchema, list, number, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { answer, complete, type DocumentPart, idInPath, type Operation, schemaRef } from './document.types.js';
import { gatewayErrors } from './error-responses.js';

const { 400: badRequest, 404: notFound, ...errors } = gatewayErrors;

const listModels: Operation = {
  operationId: 'listModels',
  tags: ['Models of a key'],
  summary: 'The models that the key can use',
  description:
    'Plain clients get an array of objects with five fields; clients that need it, such as OpenAI’s SDKs, and all clients of `/openai/v1` get OpenAI’s list. `format` chooses explicitly.',
  security: [{ key: [] }],
  parameters: [{ name: 'format', in: 'query', schema: { type: 'string', enum: ['array', 'list'] } }],
  responses: {
    200: answer('The models, in one of two formats.', {
      oneOf: [{ type: 'array', items: schemaRef('ModelSummary') }, schemaRef('ModelList')],
    }),
    400: badRequest,
    ...errors,
  },
};

const get: Operation = {
  operationId: 'getModel',
  tags: ['Models of a key'],
  summary: 'One model with its context length, prices and capabilities',
  security: [{ key: [] }],
  parameters: [idInPath('The model’s id; slashes are not escaped.')],
  responses: {
    200: answer('The model.', schemaRef('Model')),
    404: notFound,
    ...errors,
  },
};

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
const modelSchemas: Record<string, JsonSchema> = {
  ModelSummary: complete(summary, 'A model in the format for plain clients.'),
  Model: object(
    { ...summary, ...details, ...ofEmbeddings },
    Object.keys({ ...summary, ...details }),
    'A model in OpenAI’s format.',
  ),
  ModelList: complete({ object: oneOf(['list']), data: list(schemaRef('Model')) }, 'OpenAI’s list of models.'),
};

/** `GET /v1/models` and `GET /v1/models/{id}`. */
export const modelsPart: DocumentPart = {
  paths: { '/v1/models': { get: listModels }, '/v1/models/{id}': { get } },
  schemas: modelSchemas,
};
