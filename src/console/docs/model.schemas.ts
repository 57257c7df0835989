import { flag, integer, type JsonSchema, list, number, object, oneOf, orNull, text } from '../../common/json-schema.js';

const summary: Record<string, JsonSchema> = {
  id: text('What a request names in `model`; it may hold slashes.'),
  tier: text('A plan names the tiers whose models it brings.'),
  context_len: integer('Tokens that fit in: question, history and answer.'),
  display_name: text(),
  description: text(),
};

const details: Record<string, JsonSchema> = {
  object: oneOf(['model']),
  created: integer('Unix seconds; 0: not known.'),
  owned_by: text(),
  context_length: integer('As `context_len`, under the name that many clients read.'),
  max_model_len: integer('The same again.'),
  max_output_tokens: orNull(integer('The longest answer; null: not known.')),
  modalities: object({ input: list(text()), output: list(text()) }, ['input', 'output']),
  capabilities: list(text(), 'Of `image_input`, `tools`, `json_schema` and `reasoning`.'),
  pricing: object(
    {
      currency: oneOf(['USD']),
      unit: oneOf(['per million tokens']),
      input: number('Per million input tokens.'),
      cached_input: number('Per million of those that the provider had in its cache.'),
      output: number('Per million output tokens.'),
    },
    ['currency', 'unit', 'input', 'cached_input', 'output'],
  ),
  simulated: flag('Answered by the built-in simulator, since no provider is connected for it.'),
};

/** The two formats of a model. */
export const modelSchemas: Record<string, JsonSchema> = {
  ModelSummary: object(summary, Object.keys(summary), 'A model as plain clients get it.'),
  Model: object(
    { ...summary, ...details },
    Object.keys({ ...summary, ...details }),
    'A model as OpenAI’s SDKs and the tools around them read it.',
  ),
  ModelList: object(
    { object: oneOf(['list']), data: list({ $ref: '#/components/schemas/Model' }) },
    ['object', 'data'],
    'The models as OpenAI’s SDKs get them.',
  ),
};
