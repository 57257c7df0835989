import { isDeepStrictEqual } from 'node:util';
import { integer, type JsonSchema, list, object, oneOf, orNull, text } from '../../common/json-schema.js';
import { CHAT_REQUEST_SCHEMA } from '../../completions/formats/chat-completion-request.js';
import { answer, complete, type DocumentPart, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors } from './error-responses.js';

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

const finishReason = oneOf(
  ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'],
  'Why it ended: complete, token limit reached, tool calls, or content filter.',
);

const logprobs = orNull({ type: 'object', description: 'Log probabilities of the tokens, if requested.' });

const head = (kind: string): Record<string, JsonSchema> => ({
  id: text('`chatcmpl-…`, assigned by the gateway; the same in every chunk.'),
  object: oneOf([kind]),
  created: integer('Unix seconds.'),
  model: text('The model that answered: the requested one, or a fallback.'),
});

const choice = complete({
  index: integer('From 0.'),
  message: schemaRef('AnswerMessage'),
  finish_reason: finishReason,
  logprobs,
});

const toolCallDelta = object(
  {
    index: integer('The index of the call; the same in all of its pieces.'),
    id: text(),
    type: oneOf(['function']),
    function: object({ name: text(), arguments: text('The next piece of the JSON text.') }, []),
  },
  ['index'],
);

const delta = object(
  {
    role: oneOf(['assistant'], 'On the first chunk.'),
    content: orNull(text('The next piece of the answer.')),
    reasoning_content: text('The next piece of the model’s reasoning, if the provider shows it.'),
    refusal: orNull(text()),
    tool_calls: list(toolCallDelta),
  },
  [],
);

const chunkChoice = object({ index: integer('From 0.'), delta, finish_reason: orNull(finishReason), logprobs }, [
  'index',
  'delta',
  'finish_reason',
]);

/** The answers to a chat completion. */
const chatAnswerSchemas: Record<string, JsonSchema> = {
  AnswerMessage: object(
    {
      role: oneOf(['assistant']),
      content: orNull(text()),
      refusal: orNull(text('Why the model gives no answer.')),
      reasoning_content: text('The model’s reasoning, if the provider shows it.'),
      tool_calls: list(schemaRef('ToolCall')),
    },
    ['role', 'content', 'refusal'],
  ),
  Usage: object(
    {
      prompt_tokens: integer('Tokens of the request, including cached ones.'),
      completion_tokens: integer('Tokens of the answer, including reasoning.'),
      total_tokens: integer('Both.'),
      prompt_tokens_details: object({ cached_tokens: integer('Read from the provider’s cache.') }, []),
      completion_tokens_details: object({ reasoning_tokens: integer('Tokens of reasoning.') }, []),
    },
    ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    'The tokens of a call: reported by the provider, otherwise estimated.',
  ),
  ChatCompletion: complete(
    { ...head('chat.completion'), choices: list(choice), usage: schemaRef('Usage') },
    'The answer to a request without `stream`.',
  ),
  ChatCompletionChunk: object(
    { ...head('chat.completion.chunk'), choices: list(chunkChoice), usage: orNull(schemaRef('Usage')) },
    ['id', 'object', 'created', 'model', 'choices'],
    'One event of a streamed answer.',
  ),
};

/**
 * Collects a schema and its nested schemas that have a title, by title, and replaces nested ones with references.
 * Throws if two different schemas have the same title.
 */
export function titledSchemas(schema: JsonSchema): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const visit = ({ title, ...schema }: JsonSchema): JsonSchema => {
    const inner = withParts(schema, visit);
    if (title === undefined) return inner;
    if (title in found && !isDeepStrictEqual(found[title], inner))
      throw new Error(`two different schemas have the title ${title}`);
    found[title] = inner;
    return schemaRef(title);
  };
  visit(schema);
  return found;
}

function withParts(schema: JsonSchema, visit: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { items, properties, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: visit(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, visit(part)])),
    }),
    ...(additionalProperties && { additionalProperties: visit(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(visit) }),
  };
}

/** `POST /v1/chat/completions`. */
export const completionsPart: DocumentPart = {
  paths: { '/v1/chat/completions': { post: create } },
  schemas: { ...titledSchemas(CHAT_REQUEST_SCHEMA), ...chatAnswerSchemas },
};
