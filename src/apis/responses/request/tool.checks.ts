import { type Check, flag, oneOf, text } from '../../../completions/dto/checks.js';
import { faultAt, missing, wrongType } from '../../../completions/dto/fault.js';
import { jsonSchema } from '../../../completions/dto/json-schema.check.js';
import {
  anyObject,
  isJsonObject,
  list,
  nullable,
  required,
  shape,
  tagged,
  textOr,
} from '../../../completions/dto/structure-checks.js';
import { identifier } from '../../../completions/dto/tool.checks.js';

const functionTool = shape({
  name: required(identifier),
  description: nullable(text()),
  parameters: nullable(jsonSchema),
  strict: nullable(flag),
});

const customTool = shape({
  name: required(text({ min: 1 })),
  description: nullable(text()),
  format: nullable(
    tagged(
      'type',
      {
        text: anyObject,
        grammar: shape({ definition: required(text()), syntax: required(oneOf('lark', 'regex')) }),
      },
      'a format',
    ),
  ),
});

const ownTools = { function: functionTool, custom: customTool };

const namespaceTool = shape({
  name: required(text({ min: 1 })),
  description: nullable(text()),
  tools: required(list(tagged('type', ownTools, 'a tool'), 'a list of tools')),
});

const named = shape({ name: required(text({ min: 1 })), namespace: nullable(text()) });

export const tools = list(byType({ ...ownTools, namespace: namespaceTool }, 'a tool'), 'a list of tools');

export const toolChoice = textOr(
  byType(
    {
      function: named,
      custom: named,
      allowed_tools: shape({
        mode: required(oneOf('auto', 'required')),
        tools: required(list(byType({ function: named, custom: named }, 'a tool'), 'a list of tools')),
      }),
    },
    'an object that names a tool',
  ),
  oneOf('none', 'auto', 'required'),
);

/** An object with a `type`. Unknown types are tools of the provider, whose fields are not checked. */
function byType(known: Readonly<Record<string, Check>>, expected: string): Check {
  const checks = new Map<unknown, Check>(Object.entries(known));
  const type = text({ min: 1 });
  return {
    schema: anyObject.schema,
    expected,
    faultIn(value) {
      if (!isJsonObject(value)) return wrongType(expected, value);
      const check = checks.get(value.type);
      if (check) return check.faultIn(value);
      const fault = value.type === undefined ? missing(type.expected) : type.faultIn(value.type);
      return fault && faultAt('.type', fault);
    },
  };
}
