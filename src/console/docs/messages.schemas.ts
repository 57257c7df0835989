import { either, flag, integer, type JsonSchema, list, number, object, oneOf, text } from '../../common/json-schema.js';
import { complete, schemaRef } from './document.types.js';

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
export const messagesSchemas: Record<string, JsonSchema> = {
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
