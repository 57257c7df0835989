import { type Schema, schemaRef } from './document.types.js';
import { either, flag, integer, list, number, object, oneOf, orNull, text } from './schema-words.js';

const anyObject: Schema = { type: 'object' };

const conversation = {
  model: text('A model of `GET /v1/models`.', { minLength: 1, maxLength: 256 }),
  messages: list(schemaRef('ChatMessage'), 'The conversation so far.', { minItems: 1 }),
  stream: orNull(flag('Answer in server-sent events while the model writes.')),
  stream_options: orNull(
    object({ include_usage: flag('Send the tokens used as the last chunk, with `choices: []`.') }, []),
  ),
};

const sampling = {
  temperature: orNull(number('Higher is more varied.', 0, 2)),
  top_p: orNull(number('Only the likeliest tokens that make up this share.', 0, 1)),
  max_completion_tokens: orNull(integer('The longest answer, reasoning included.', 1)),
  max_tokens: orNull(integer('The older name of `max_completion_tokens`; every model takes it.', 1)),
  stop: orNull(either([text(), list(text(), undefined, { maxItems: 4 })], 'Where the answer ends.')),
  n: orNull(integer('How many answers.', 1, 128)),
  seed: orNull(integer('The same seed gives the same answer, as far as the provider can.')),
  frequency_penalty: orNull(number('Against repeating words.', -2, 2)),
  presence_penalty: orNull(number('Against repeating topics.', -2, 2)),
  logit_bias: orNull({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: -100, maximum: 100 },
    description: 'More or less of a token, by its id.',
  }),
  logprobs: orNull(flag('Return the log probability of each token.')),
  top_logprobs: orNull(integer('And of so many alternatives; needs `logprobs`.', 0, 20)),
  reasoning_effort: orNull(
    oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'], 'How long the model may think.'),
  ),
  verbosity: orNull(oneOf(['low', 'medium', 'high'], 'How long-winded the answer may be.')),
};

const jsonSchema = object(
  {
    name: text(undefined, { minLength: 1, maxLength: 64 }),
    description: text(),
    schema: { type: 'object', description: 'JSON Schema of the answer.' },
    strict: orNull(flag('Whether the answer must follow it exactly.')),
  },
  ['name'],
);

const format = {
  response_format: either(
    [
      object({ type: oneOf(['text']) }, ['type']),
      object({ type: oneOf(['json_object']) }, ['type'], 'Any JSON; the messages must ask for it.'),
      object({ type: oneOf(['json_schema']), json_schema: jsonSchema }, ['type', 'json_schema']),
    ],
    'Which form the answer has.',
  ),
  modalities: orNull(list(oneOf(['text', 'audio']))),
  audio: orNull({ type: 'object', description: 'Voice and format of a spoken answer.' }),
  prediction: orNull({ type: 'object', description: 'Text that the answer will mostly repeat.' }),
};

const toolUse = {
  tools: list(schemaRef('Tool'), 'For models with the capability `tools`.', { maxItems: 128 }),
  tool_choice: either(
    [
      oneOf(['none', 'auto', 'required']),
      object({ type: oneOf(['function']), function: object({ name: text() }, ['name']) }, ['type', 'function']),
    ],
    'Whether the model may, must or must not call a tool, or which.',
  ),
  parallel_tool_calls: flag('Whether it may call several at once.'),
  functions: { ...list(anyObject, 'The older form of `tools`.'), deprecated: true },
  function_call: { ...either([text(), anyObject], 'The older form of `tool_choice`.'), deprecated: true },
  web_search_options: { type: 'object', description: 'Let the model search the web, where the provider can.' },
};

const bookkeeping = {
  user: text('Your own name of the end user, for the provider’s abuse detection.'),
  safety_identifier: orNull(text('The newer form of `user`.', { maxLength: 64 })),
  metadata: orNull({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 512 },
    maxProperties: 16,
    description: 'Your own labels.',
  }),
  store: orNull(flag('Whether the provider may keep the answer.')),
  service_tier: orNull(oneOf(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])),
  moderation: orNull({ type: 'object', description: 'The provider’s moderation of question and answer.' }),
  prompt_cache_key: orNull(text('Requests of one key find each other’s cached beginnings.')),
  prompt_cache_retention: orNull(oneOf(['in_memory', '24h'])),
  prompt_cache_options: { type: 'object' },
};

/** OpenAI's request. Unknown fields are no mistake: they go to providers that take them. */
export const chatRequestSchema: Schema = object(
  { ...conversation, ...sampling, ...format, ...toolUse, ...bookkeeping } as Record<string, Schema>,
  ['model', 'messages'],
  'OpenAI’s Chat Completions request. What a model is known not to do is a 400 that names the field.',
);
