import { type Check, flag, oneOf, text } from '../../../completions/dto/checks.js';
import { jsonSchema } from '../../../completions/dto/json-schema.check.js';
import {
  anyObject,
  isJsonObject,
  list,
  nullable,
  required,
  shape,
  tagged,
} from '../../../completions/dto/structure-checks.js';
import { cacheControl } from './block.checks.js';

const ownTool = shape({
  type: nullable(oneOf('custom')),
  name: required(
    text({
      pattern: /^[a-zA-Z0-9_-]{1,128}$/,
      expected: 'a name of 1 to 128 letters, digits, underscores and dashes',
    }),
  ),
  description: nullable(text()),
  input_schema: required(jsonSchema),
  strict: nullable(flag),
  cache_control: cacheControl,
});

const providersTool = shape({ type: required(text({ min: 1 })) });

export function isOwnTool({ type }: { readonly type?: unknown }): boolean {
  return type === undefined || type === null || type === 'custom';
}

const tool: Check = {
  ...ownTool,
  expected: 'a tool',
  faultIn: (value) => (isJsonObject(value) && !isOwnTool(value) ? providersTool : ownTool).faultIn(value),
};

export const tools = list(tool, 'a list of tools');

const parallel = { disable_parallel_tool_use: nullable(flag) };

export const toolChoice = tagged(
  'type',
  {
    auto: shape(parallel),
    any: shape(parallel),
    tool: shape({ name: required(text({ min: 1 })), ...parallel }),
    none: anyObject,
  },
  'an object that says whether to call a tool',
);
