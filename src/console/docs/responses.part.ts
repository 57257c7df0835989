import { answer, type DocumentPart, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors } from './gateway-errors.js';
import { responsesSchemas } from './responses.schemas.js';

const question = { model: 'gpt-5.4-nano', input: 'Say hello.' };

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
    'OpenAI’s Responses format for every model, stateless. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL. Providers that have this API get the request unchanged; for others it is translated, and fields that are left out are named in `x-gateway-ignored-parameters`.',
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

/** `POST /v1/responses`. */
export const responsesPart: DocumentPart = {
  paths: { '/v1/responses': { post: create } },
  schemas: responsesSchemas,
};
