import { answer, type DocumentPart, idInPath, type Operation, schemaRef } from './document.types.js';
import { gatewayErrors } from './gateway-errors.js';
import { modelSchemas } from './model.schemas.js';

const { 400: badRequest, 404: notFound, ...errors } = gatewayErrors;

const list: Operation = {
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

/** `GET /v1/models` and `GET /v1/models/{id}`. */
export const modelsPart: DocumentPart = {
  paths: { '/v1/models': { get: list }, '/v1/models/{id}': { get } },
  schemas: modelSchemas,
};
