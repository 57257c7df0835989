import { CHAT_REQUEST_SCHEMA } from '../../completions/dto/chat-completion-request.fields.js';
import { chatAnswerSchemas } from './chat-answer.schemas.js';
import { type DocumentPart, type Operation, schemaRef } from './document.types.js';
import { callErrors } from './gateway-errors.js';
import { titledSchemas } from './titled-schemas.js';

const question = { model: 'gpt-5.4-nano', messages: [{ role: 'user', content: 'Say hello.' }] };

const requests = {
  question: { summary: 'A question', value: question },
  stream: { summary: 'Streamed', value: { ...question, stream: true, stream_options: { include_usage: true } } },
  image: {
    summary: 'With an image',
    value: {
      model: 'gpt-5.4-nano',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in this picture?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo…' } },
          ],
        },
      ],
    },
  },
  tools: {
    summary: 'With a tool',
    value: {
      ...question,
      messages: [{ role: 'user', content: 'What is the weather in Lisbon?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'The weather of a city.',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          },
        },
      ],
    },
  },
};

const streamText = `One event is one line \`data: {chunk}\` and a blank line; the last is \`data: [DONE]\`. While the provider is
silent, a comment \`: ping\` is sent at least every 15 seconds. An error after the first chunk is \`data: {"error":{…}}\`, and
then the stream ends without \`[DONE]\`.`;

const streamExample = `data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-5.4-nano","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}

data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-5.4-nano","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`;

const create: Operation = {
  operationId: 'createChatCompletion',
  tags: ['Chat completions'],
  summary: 'Answer a conversation',
  description:
    'OpenAI’s Chat Completions format for every model. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL.',
  security: [{ key: [] }],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaRef('ChatCompletionRequest'), examples: requests } },
  },
  responses: {
    200: {
      description: `The answer: one JSON object, or with \`stream\` server-sent events.\n\n${streamText}`,
      headers: {
        'x-request-id': { description: 'The id of this request.', schema: { type: 'string' } },
        'openai-processing-ms': {
          description: 'Milliseconds until the head of the response.',
          schema: { type: 'string' },
        },
        'x-gateway-ignored-parameters': {
          description: 'Parameters that were left out because the model or its API does not take them.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': { schema: schemaRef('ChatCompletion') },
        'text/event-stream': { schema: schemaRef('ChatCompletionChunk'), example: streamExample },
      },
    },
    ...callErrors,
  },
};

/** `POST /v1/chat/completions`. */
export const completionsPart: DocumentPart = {
  paths: { '/v1/chat/completions': { post: create } },
  schemas: { ...titledSchemas(CHAT_REQUEST_SCHEMA), ...chatAnswerSchemas },
};
