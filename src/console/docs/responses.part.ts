import { type DocumentPart, type Operation, schemaRef } from './document.types.js';
import { errorResponse } from './error.schemas.js';
import { gatewayErrors } from './gateway-errors.js';
import { responsesSchemas } from './responses.schemas.js';

const question = { model: 'gpt-5.4-nano', input: 'Say hello.' };

const requests = {
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
    'OpenAI’s Responses format for every model, stateless. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL. Providers that have this API get the request as it came; for others it is translated, and what they do not get is named in `x-gateway-ignored-parameters`.',
  security: [{ key: [] }],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaRef('ResponsesRequest'), examples: requests } },
  },
  responses: {
    200: {
      description:
        'The answer: one JSON object, or with `stream` OpenAI’s server-sent events, with comments `: ping` while the provider is silent. An error after the first event is an `error` event and then `response.failed`.',
      content: {
        'application/json': { schema: schemaRef('ResponsesAnswer') },
        'text/event-stream': { schema: { type: 'string' } },
      },
    },
    ...gatewayErrors,
    413: errorResponse('`request_too_large`: the body is larger than the limit.'),
    415: errorResponse('`unsupported_media_type`: the body is not JSON in UTF-8.'),
    429: errorResponse('`upstream_rate_limited`: the provider limits the gateway; see `Retry-After`.'),
    502: errorResponse('`upstream_error`, `upstream_unreachable` or `upstream_incomplete`: the provider failed.'),
    504: errorResponse('`upstream_timeout`: the provider was too slow.'),
  },
};

/** `POST /v1/responses`. */
export const responsesPart: DocumentPart = {
  paths: { '/v1/responses': { post: create } },
  schemas: responsesSchemas,
};
