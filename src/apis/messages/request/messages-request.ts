import { flag, integer, numberBetween, oneOf, text } from '../../../completions/formats/checks.js';
import { anyObject, list, nullable, required, shape, tagged } from '../../../completions/formats/structure.checks.js';
import { jsonSchema } from '../../../completions/formats/tool.checks.js';
import { bodyObject, modelId, refuseFaults } from '../../shared/checked-body.js';
import { cacheControl, messages, refuseDenied, systemContent } from './block.checks.js';
import type { MessagesRequest } from './messages.types.js';
import { refuseHiddenTools, toolChoice, tools } from './tool.checks.js';

const jsonFormat = tagged(
  'type',
  { json_schema: shape({ schema: required(jsonSchema) }) },
  'an object that names a format',
);

const thinking = tagged(
  'type',
  {
    enabled: shape({ budget_tokens: nullable(integer(1)), display: nullable(text()) }),
    adaptive: shape({ display: nullable(text()) }),
    disabled: anyObject,
    between_tools: anyObject,
  },
  'an object that turns thinking on or off',
);

const FIELDS = {
  model: required(modelId),
  max_tokens: required(integer(1)),
  messages: required(messages),
  system: nullable(systemContent),
  stream: nullable(flag),
  stop_sequences: nullable(list(text({ min: 1 }), 'a list of strings')),
  temperature: nullable(numberBetween(0, 1)),
  top_p: nullable(numberBetween(0, 1)),
  top_k: nullable(integer(0)),
  tools: nullable(tools),
  tool_choice: nullable(toolChoice),
  thinking: nullable(thinking),
  output_config: nullable(
    shape({ effort: nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max')), format: nullable(jsonFormat) }),
  ),
  /** The older form of `output_config.format`. */
  output_format: nullable(jsonFormat),
  metadata: nullable(shape({ user_id: nullable(text()) })),
  service_tier: nullable(oneOf('auto', 'standard_only')),
  speed: nullable(oneOf('standard', 'fast')),
  cache_control: cacheControl,
  context_management: nullable(anyObject),
};

/** The fields of a `count_tokens` request: all fields of a Messages request except `max_tokens`. */
const { max_tokens: _, ...COUNTED } = FIELDS;

const messagesRequest = shape(FIELDS);
const countedRequest = shape(COUNTED);

/** A set, as a body may contain names of inherited properties. */
export const MESSAGES_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

/** Validates a parsed JSON body and returns it. Throws a `GatewayError` 400 that names the invalid field. */
export function toMessagesRequest(body: unknown, check = messagesRequest): MessagesRequest {
  const fields = bodyObject(body);
  refuseDenied(fields);
  refuseHiddenTools(fields);
  refuseFaults(fields, check);
  return fields as unknown as MessagesRequest;
}

/** The same for `count_tokens`, which does not need `max_tokens`. */
export function toCountedRequest(body: unknown): MessagesRequest {
  return toMessagesRequest(body, countedRequest);
}
