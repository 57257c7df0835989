import { expect, it } from '@jest/globals';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { refusedTrait } from './refused-parameters.js';

const request: ChatCompletionRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

it.each([
  ['tool_choice.type: "any" is not supported for this model. Use "auto" or "none".', { forcedTools: false }],
  ["This model doesn't support the toolConfig.toolChoice.any field. Remove it.", { forcedTools: false }],
  ['deepseek-reasoner does not support this tool_choice', { forcedTools: false }],
  ['tools.0.custom.strict: Extra inputs are not permitted', { strictSchemas: false }],
  [
    'The model returned the following errors: output_config.format: Extra inputs are not permitted',
    { strictSchemas: false },
  ],
  ["This model doesn't support the outputConfig field. Remove it.", { strictSchemas: false }],
  ['"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive".', { thinking: 'always' }],
  ['"thinking.type.enabled" is not supported for this model.', { thinking: 'always' }],
  [
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
    { efforts: ['low', 'medium', 'high', 'max'] },
  ],
  [
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.",
    { efforts: ['low', 'medium', 'high', 'xhigh'] },
  ],
])('learns from the refusal %s', (message, traits) => {
  expect(refusedTrait({ status: 400, message }, request)).toEqual({ traits, isCertain: true });
});

it.each([
  [400, 'tools.0.custom.cache_control: Extra inputs are not permitted'],
  [400, 'tool_choice.name: tool not found'],
  [400, `tool_choice: Field required. ${'x '.repeat(40)} is not supported`],
  [500, 'tool_choice is not supported'],
])('learns nothing from the error %s %s', (status, message) => {
  expect(refusedTrait({ status, message }, request)).toBeUndefined();
});

it('is not certain of a refusal that the request itself contains', () => {
  const content = 'Why is it that tool_choice is not supported?';
  const quoting = { ...request, messages: [{ role: 'user' as const, content }] };
  expect(refusedTrait({ status: 400, message: content }, quoting)?.isCertain).toBe(false);
  const name = 'output_config.format: Extra inputs are not permitted';
  const schema = { type: 'object', properties: { [name]: { minimum: 1 } } };
  const described = {
    ...request,
    response_format: { type: 'json_schema' as const, json_schema: { name: 'a', schema } },
  };
  expect(refusedTrait({ status: 400, message: `The property '${name}' is invalid.` }, described)?.isCertain).toBe(
    false,
  );
});
