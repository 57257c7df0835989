import {
  either,
  flag,
  integer,
  type JsonSchema,
  list,
  number,
  object,
  oneOf,
  orNull,
  text,
} from '../../common/json-schema.js';
import { answer, type DocumentPart, idInPath, jsonBody, type Operation, schemaRef } from './document.types.js';
import { callErrors, gatewayErrors } from './error-responses.js';

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

const anything = (description: string): JsonSchema => ({ type: 'object', description });

const usage = object(
  {
    input_tokens: integer('Tokens of the request, including cached ones.'),
    input_tokens_details: object({ cached_tokens: integer(), cache_write_tokens: integer() }, []),
    output_tokens: integer('Tokens of the answer, including reasoning.'),
    output_tokens_details: object({ reasoning_tokens: integer() }, []),
    total_tokens: integer('Both.'),
  },
  ['input_tokens', 'output_tokens', 'total_tokens'],
);

/** OpenAI's Responses format, in outline: its own documentation has every field. */
const responsesSchemas: Record<string, JsonSchema> = {
  ResponsesItem: object(
    {
      type: text(
        '`message`, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output` or `reasoning`; others for providers that have the Responses API.',
      ),
    },
    [],
    'A part of the conversation; its other fields depend on its type. Messages may leave the type out.',
  ),
  ResponsesRequest: object(
    {
      model: text('A model id from `GET /v1/models`.'),
      input: either(
        [text(), list(schemaRef('ResponsesItem'))],
        'The whole conversation, or what follows `previous_response_id`.',
      ),
      previous_response_id: orNull(text('A stored response that this request continues, if the gateway stores them.')),
      instructions: orNull(text('What the model is and how it should answer.')),
      stream: flag('Stream the answer as server-sent events.'),
      max_output_tokens: orNull(integer('The maximum number of tokens in the answer, reasoning included.', 1)),
      temperature: orNull(number('Higher values give more varied answers.', 0, 2)),
      top_p: orNull(number(undefined, 0, 1)),
      tools: list(anything('`function`, `custom` or `namespace`, or a tool of the provider by its `type`.')),
      tool_choice: either([oneOf(['none', 'auto', 'required']), anything('`function`, `custom` or `allowed_tools`.')]),
      parallel_tool_calls: flag('Whether the model may call several tools in one answer.'),
      text: anything('`format`: `text`, `json_object` or `json_schema`; `verbosity`.'),
      reasoning: anything('`effort`; `summary`: show the reasoning as an item.'),
      include: list(text(), '`reasoning.encrypted_content`, `message.output_text.logprobs`.'),
      metadata: anything('Your own labels.'),
      store: flag('Whether to store the response, if the gateway stores them; otherwise it is answered with `false`.'),
    },
    ['model', 'input'],
    'OpenAI’s Responses request. Other fields go to providers that have the Responses API.',
  ),
  ResponsesDeletion: object({ id: text(), object: oneOf(['response']), deleted: flag('Always `true`.') }, [
    'id',
    'object',
    'deleted',
  ]),
  ResponsesItemList: object(
    {
      object: oneOf(['list']),
      data: list(schemaRef('ResponsesItem')),
      first_id: orNull(text()),
      last_id: orNull(text()),
      has_more: flag('Whether there are more items after `last_id`.'),
    },
    ['object', 'data', 'first_id', 'last_id', 'has_more'],
  ),
  ResponsesAnswer: object(
    {
      id: text('`resp_…`.'),
      object: oneOf(['response']),
      created_at: integer('Unix seconds.'),
      status: oneOf(['completed', 'incomplete', 'failed', 'in_progress']),
      incomplete_details: orNull(object({ reason: oneOf(['max_output_tokens', 'content_filter']) }, [])),
      model: text(),
      output: list(schemaRef('ResponsesItem'), 'Reasoning, messages and calls, in their order.'),
      usage,
    },
    ['id', 'object', 'created_at', 'status', 'model', 'output'],
    'The answer, with the settings of the request.',
  ),
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
