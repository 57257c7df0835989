import { flag, integer, numberBetween, oneOf, text } from '../../../completions/dto/checks.js';
import { jsonSchema } from '../../../completions/dto/json-schema.check.js';
import {
  anyObject,
  type FieldRule,
  list,
  nullable,
  required,
  shape,
  tagged,
} from '../../../completions/dto/structure-checks.js';
import { cacheControl, messages, systemContent } from './block.checks.js';
import { toolChoice, tools } from './tool.checks.js';

const jsonFormat = tagged(
  'type',
  { json_schema: shape({ schema: required(jsonSchema, 'JSON Schema of the answer.') }) },
  'an object that names a format',
);

const FIELDS: Readonly<Record<string, FieldRule>> = {
  model: required(
    text({ min: 1, max: 256, expected: 'a model id of 1 to 256 characters' }),
    'A model id from `GET /v1/models`.',
  ),
  max_tokens: required(integer(1), 'The maximum number of tokens in the answer, thinking included.'),
  messages,
  system: nullable(systemContent, 'What the model is and how it should answer.'),
  stream: nullable(flag, 'Stream the answer as server-sent events.'),
  stop_sequences: nullable(list(text({ min: 1 }), 'a list of strings'), 'Sequences that end the answer.'),
  temperature: nullable(numberBetween(0, 1), 'Higher values give more varied answers.'),
  top_p: nullable(numberBetween(0, 1), 'Considers only the most likely tokens that add up to this probability.'),
  top_k: nullable(integer(0), 'Considers only this many tokens.'),
  tools: nullable(tools, 'For models with the capability `tools`.'),
  tool_choice: nullable(toolChoice, 'Whether the model may, must or must not call a tool, or which tool to call.'),
  thinking: nullable(
    tagged(
      'type',
      {
        enabled: shape({ budget_tokens: nullable(integer(1)), display: nullable(text()) }),
        adaptive: shape({ display: nullable(text()) }),
        disabled: anyObject,
        between_tools: anyObject,
      },
      'an object that turns thinking on or off',
    ),
    'Whether the model thinks first, and whether its thinking is shown.',
  ),
  output_config: nullable(
    shape({
      effort: nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max'), 'How much the model may reason.'),
      format: nullable(jsonFormat, 'The format of the answer.'),
    }),
  ),
  output_format: nullable(jsonFormat, 'The older form of `output_config.format`.'),
  metadata: nullable(shape({ user_id: nullable(text(), 'Your identifier for the end user.') })),
  service_tier: nullable(oneOf('auto', 'standard_only')),
  speed: nullable(oneOf('standard', 'fast')),
  cache_control: cacheControl,
  context_management: nullable(anyObject),
};

/** The fields of a `count_tokens` request: all fields of a Messages request except `max_tokens`. */
const { max_tokens: _, ...COUNTED } = FIELDS;

/** Maps, as a body may contain names of inherited properties. */
export const MESSAGES_FIELDS: ReadonlyMap<string, FieldRule> = new Map(Object.entries(FIELDS));
export const COUNTED_FIELDS: ReadonlyMap<string, FieldRule> = new Map(Object.entries(COUNTED));
