import { either, flag, integer, type JsonSchema, list, number, object, oneOf, text } from '../../common/json-schema.js';
import {
  answer,
  complete,
  type DocumentPart,
  jsonBody,
  type Operation,
  type Response,
  schemaRef,
} from './document.types.js';

const question = { model: 'claude-sonnet-5.5', messages: [{ role: 'user', content: 'Say hello.' }] };

const ERRORS: Readonly<Record<string, string>> = {
  400: '`invalid_request_error`: the request is not valid, or the model does not support it; also 409 and 422.',
  401: '`authentication_error`: the key is missing, unknown, disabled, revoked or expired.',
  403: '`permission_error`: the owner is disabled, or the address is not on the key’s list.',
  404: '`not_found_error`: the model does not exist, or you cannot use it.',
  413: '`request_too_large`: the body is larger than the limit.',
  429: '`rate_limit_error`: a limit, a budget or the provider; see `Retry-After`.',
  500: '`api_error`: an error in the gateway, or with status 502 at the provider.',
  504: '`timeout_error`: the provider was too slow.',
  529: '`overloaded_error`: try again after `Retry-After` seconds.',
};

function errors(...statuses: number[]): Record<string, Response> {
  return Object.fromEntries(
    statuses.map((status) => [status, answer(ERRORS[status] ?? '', schemaRef('MessagesError'))]),
  );
}

const version = { ...header('anthropic-version', '`2026-10-21`, or `2023-06-01`.'), required: true };

function header(name: string, description: string) {
  return { name, in: 'header' as const, schema: text(), description };
}

const create: Operation = {
  operationId: 'createMessage',
  tags: ['Messages'],
  summary: 'Answer a conversation, in Anthropic’s format',
  description:
    'Anthropic’s Messages format for every model. Use Anthropic’s SDKs with this gateway’s address, without `/v1`, as the base URL. Providers that have this API get the request unchanged.',
  security: [{ key: [] }],
  parameters: [version, header('anthropic-beta', 'For providers that have the Messages API.')],
  requestBody: jsonBody('MessagesRequest', { example: { ...question, max_tokens: 1000 } }),
  responses: {
    200: answer(
      'The answer: one JSON object, or with `stream` Anthropic’s server-sent events, with `ping` while the provider is silent and `error` in place of the end.',
      schemaRef('MessagesAnswer'),
      { schema: { type: 'string' } },
    ),
    ...errors(400, 401, 403, 404, 413, 429, 500, 504, 529),
  },
};

const count: Operation = {
  operationId: 'countMessageTokens',
  tags: ['Messages'],
  summary: 'Count the input tokens of a conversation',
  description: 'The provider’s count if it offers one, otherwise an estimate. Nothing is charged.',
  security: [{ key: [] }],
  parameters: [version],
  requestBody: jsonBody('MessagesCountRequest', { example: question }),
  responses: {
    200: answer('The count.', schemaRef('MessagesCount')),
    ...errors(400, 401, 403, 404, 413, 429, 500, 529),
  },
};

const anything = (description: string): JsonSchema => ({ type: 'object', description });

const counted = {
  model: text('A model id from `GET /v1/models`.'),
  messages: list(schemaRef('MessagesMessage'), 'The conversation so far.'),
  system: either([text(), list(schemaRef('MessagesBlock'))], 'What the model is and how it should answer.'),
  tools: list(anything('`name`, `description`, `input_schema`, or a tool of the provider by its `type`.')),
  tool_choice: anything('`type`: `auto`, `any`, `tool` with a `name`, or `none`; `disable_parallel_tool_use`.'),
  thinking: anything('`type`: `enabled` with or without `budget_tokens`, `adaptive`, or `disabled`.'),
  output_config: anything('`effort`: `low` to `max`; `format`: a JSON schema for the answer.'),
};

const usage = object(
  {
    input_tokens: integer('Neither read from a cache nor written to one.'),
    cache_creation_input_tokens: integer(),
    cache_read_input_tokens: integer(),
    output_tokens: integer('Thinking included.'),
  },
  ['input_tokens', 'output_tokens'],
);

/** Anthropic's Messages format, in outline: its own documentation has every field. */
const messagesSchemas: Record<string, JsonSchema> = {
  MessagesBlock: object(
    { type: text('`text`, `image`, `document`, `tool_use`, `tool_result`, `thinking`, `redacted_thinking`, …') },
    ['type'],
    'A part of a message; its other fields depend on its type.',
  ),
  MessagesMessage: object(
    {
      role: oneOf(['user', 'assistant', 'system']),
      content: either([text(), list(schemaRef('MessagesBlock'))]),
    },
    ['role'],
  ),
  MessagesRequest: object(
    {
      ...counted,
      max_tokens: integer('The maximum number of tokens in the answer, thinking included.', 1),
      stream: flag('Stream the answer as server-sent events.'),
      stop_sequences: list(text()),
      temperature: number(undefined, 0, 1),
      top_p: number(undefined, 0, 1),
      top_k: integer(undefined, 0),
      metadata: anything('`user_id`: your identifier for the end user.'),
      service_tier: oneOf(['auto', 'standard_only']),
    },
    ['model', 'max_tokens', 'messages'],
    'Anthropic’s Messages request. Other fields go to providers that have the Messages API.',
  ),
  MessagesCountRequest: object(counted, ['model', 'messages']),
  MessagesAnswer: complete({
    id: text('`msg_…`.'),
    type: oneOf(['message']),
    role: oneOf(['assistant']),
    model: text(),
    content: list(schemaRef('MessagesBlock')),
    stop_reason: text('`end_turn`, `max_tokens`, `stop_sequence`, `tool_use` or `refusal`.'),
    usage,
  }),
  MessagesCount: complete({ input_tokens: integer() }),
  MessagesError: complete({
    type: oneOf(['error']),
    error: complete({ type: text('`invalid_request_error`, `rate_limit_error`, …'), message: text() }),
    request_id: text(),
  }),
};

/** `POST /v1/messages` and `POST /v1/messages/count_tokens`. */
export const messagesPart: DocumentPart = {
  paths: { '/v1/messages': { post: create }, '/v1/messages/count_tokens': { post: count } },
  schemas: messagesSchemas,
};
