import { answer, type DocumentPart, idInPath, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors, gatewayErrors } from './gateway-errors.js';
import { responsesSchemas } from './responses.schemas.js';

const question = { model: 'gpt-6-luna', input: 'Say hello.' };

const examples = {
  question: { summary: 'A question', value: question },
  stream: { summary: 'Streamed', value: { ...question, stream: true } },
  reasoning: {
    summary: 'With reasoning that can be sent back',
    value: { ...question, reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
  },
};

const create: Operation = {
  operationId: 'createResponse',
  tags: ['Responses'],
  summary: 'Answer a conversation, in OpenAI’s Responses format',
  description:
    'OpenAI’s Responses format for every model. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL. Providers that have this API get the request unchanged; for others it is translated, and fields that are left out are named in `x-gateway-ignored-parameters`.',
  security: [{ key: [] }],
  requestBody: jsonBody('ResponsesRequest', { examples }),
  responses: {
    200: answer(
      'The answer: one JSON object, or with `stream` OpenAI’s server-sent events, with comments `: ping` while the provider is silent. An error after the first event is an `error` event and then `response.failed`.',
      schemaRef('ResponsesAnswer'),
      { schema: { type: 'string' } },
    ),
    ...callErrors,
  },
};

const stored = {
  tags: ['Responses'],
  security: [{ key: [] }],
  description:
    'If the gateway stores responses; otherwise this URL does not exist. With any key of the same user, or of the same project.',
  parameters: [idInPath('The response’s `id`.')],
};

const get: Operation = {
  ...stored,
  operationId: 'getResponse',
  summary: 'A stored response',
  responses: { 200: answer('The response.', schemaRef('ResponsesAnswer')), ...gatewayErrors },
};

const remove: Operation = {
  ...stored,
  operationId: 'deleteResponse',
  summary: 'Delete a stored response',
  responses: { 200: answer('It is deleted.', schemaRef('ResponsesDeletion')), ...gatewayErrors },
};

const inputItems: Operation = {
  ...stored,
  operationId: 'listResponseInputItems',
  summary: 'The input of a stored response',
  parameters: [
    ...stored.parameters,
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
    { name: 'order', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' } },
    {
      name: 'after',
      in: 'query',
      description: 'The id of an item: the list begins after it.',
      schema: { type: 'string' },
    },
  ],
  responses: { 200: answer('A page of items.', schemaRef('ResponsesItemList')), ...gatewayErrors },
};

/** `POST /v1/responses`, and stored responses. */
export const responsesPart: DocumentPart = {
  paths: {
    '/v1/responses': { post: create },
    '/v1/responses/{id}': { get, delete: remove },
    '/v1/responses/{id}/input_items': { get: inputItems },
  },
  schemas: responsesSchemas,
};
