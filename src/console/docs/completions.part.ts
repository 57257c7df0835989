import { text } from '../../common/json-schema.js';
import { CHAT_REQUEST_SCHEMA } from '../../completions/formats/chat-completion-request.js';
import { chatAnswerSchemas } from './chat-answer.schemas.js';
import { answer, type DocumentPart, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors } from './gateway-errors.js';
import { titledSchemas } from './titled-schemas.js';

const question = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Say hello.' }] };

const examples = {
  question: { summary: 'A question', value: question },
  stream: { summary: 'Streamed', value: { ...question, stream: true, stream_options: { include_usage: true } } },
  image: {
    summary: 'With an image',
    value: {
      model: 'gpt-6-luna',
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

const streamExample = `data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-6-luna","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}

data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-6-luna","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`;

const headerText = (description: string) => ({ description, schema: text() });

const create: Operation = {
  operationId: 'createChatCompletion',
  tags: ['Chat completions'],
  summary: 'Answer a conversation',
  description:
    'OpenAI’s Chat Completions format for every model. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL.',
  security: [{ key: [] }],
  requestBody: jsonBody('ChatCompletionRequest', { examples }),
  responses: {
    200: {
      ...answer(
        `The answer: one JSON object, or with \`stream\` server-sent events.\n\n${streamText}`,
        schemaRef('ChatCompletion'),
        { schema: schemaRef('ChatCompletionChunk'), example: streamExample },
      ),
      headers: {
        'x-request-id': headerText('The id of this request.'),
        'openai-processing-ms': headerText('Milliseconds until the head of the response.'),
        'x-gateway-ignored-parameters': headerText(
          'Parameters that were left out because the model or its API does not take them.',
        ),
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
