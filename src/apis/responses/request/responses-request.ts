import {
  type Check,
  type Fault,
  flag,
  integer,
  numberBetween,
  oneOf,
  oneOfOrForeign,
  text,
} from '../../../completions/formats/checks.js';
import { metadata } from '../../../completions/formats/option.checks.js';
import { anyObject, list, nullable, required, shape } from '../../../completions/formats/structure.checks.js';
import { bodyObject, modelId, refuseFaults } from '../../shared/checked-body.js';
import { effort, input, textFormat, toolChoice, tools } from './input.checks.js';
import { refuseDenied } from './offered-tools.js';
import type { ResponsesRequest } from './responses-request.types.js';

const summary = nullable(oneOf('auto', 'concise', 'detailed'));

/** Not checked, as it only concerns the provider. */
const anything: Check = { schema: {}, expected: 'a value', faultIn: () => null };

/**
 * The known fields of a request. Null counts as "not set" wherever possible, as clients use it so. Checks must not
 * change the body, which native targets receive unchanged.
 */
const FIELDS = {
  model: required(modelId),
  input: required(input),
  instructions: nullable(text()),
  stream: nullable(flag),
  stream_options: nullable(shape({ include_obfuscation: nullable(flag) })),
  max_output_tokens: nullable(integer(1)),
  max_tool_calls: nullable(integer(1)),
  temperature: nullable(numberBetween(0, 2)),
  top_p: nullable(numberBetween(0, 1)),
  top_logprobs: nullable(integer(0, 20)),
  tools: nullable(tools),
  tool_choice: nullable(toolChoice),
  parallel_tool_calls: nullable(flag),
  text: nullable(shape({ format: textFormat, verbosity: nullable(oneOf('low', 'medium', 'high')) })),
  reasoning: nullable(
    shape({
      effort,
      summary,
      generate_summary: summary,
    }),
  ),
  include: nullable(list(text(), 'a list of strings')),
  truncation: nullable(oneOf('auto', 'disabled')),
  metadata: nullable(metadata),
  prompt_cache_key: nullable(text()),
  prompt_cache_retention: nullable(text()),
  prompt_cache_options: nullable(anyObject),
  service_tier: nullable(oneOfOrForeign('auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast')),
  user: nullable(text()),
  safety_identifier: nullable(text({ max: 128 })),
  store: nullable(flag),
  background: nullable(flag),
  client_metadata: nullable(anything),
};

const responsesRequest = shape(FIELDS);

/** A set, as a body may contain names of inherited properties. */
export const RESPONSES_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

export interface ReadRequest {
  readonly request: ResponsesRequest;
  /** The first value that only some providers know. */
  readonly foreign: Fault | null;
}

/** Validates a parsed JSON body, unchanged. Throws a `GatewayError` 400 that names the invalid field. */
export function toResponsesRequest(body: unknown): ReadRequest {
  const fields = bodyObject(body);
  refuseDenied(fields);
  return { foreign: refuseFaults(fields, responsesRequest), request: fields as ResponsesRequest };
}
