import { describe, expect, it } from '@jest/globals';
import type { NativeBody } from './contract/native.body.js';
import { ignoredHeaders, quotesRefusal, refusedFields, withoutFields } from './refused-fields.js';

const bodyOf = (fields: object): NativeBody => ({ api: 'messages', fields: { model: 'm', ...fields }, headers: {} });
const EXTRA = 'Extra inputs are not permitted';

function leftOut(fields: object, message: string, status = 400) {
  const body = bodyOf(fields);
  const reduced = withoutFields(body, refusedFields(body, { status, message }));
  const { model: _, ...rest } = reduced?.body.fields ?? {};
  return reduced && { rest, leftOut: reduced.leftOut };
}

const marked = (control: object) => ({ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ...control } });
const tool = (fields: object) => ({ name: 'f', input_schema: { type: 'object', properties: {} }, ...fields });

describe('a refused field', () => {
  it.each<[string, object, string[], object]>([
    [`context_management: ${EXTRA}`, { context_management: { edits: [] }, x: 1 }, ['context_management'], { x: 1 }],
    [`The model returned the following errors: metadata: ${EXTRA}`, { metadata: { user_id: 'u' } }, ['metadata'], {}],
    [`output_config.effort: ${EXTRA}`, { output_config: { effort: 'low' }, x: 1 }, ['output_config.effort'], { x: 1 }],
    [
      `system.0.cache_control.ephemeral.scope: ${EXTRA}`,
      { system: [marked({ scope: 'global' }), marked({}), marked({ scope: 'org' })] },
      ['system[0].cache_control.scope', 'system[2].cache_control.scope'],
      { system: [marked({}), marked({}), marked({})] },
    ],
    [
      `tools.1.custom.eager_input_streaming: ${EXTRA}`,
      { tools: [tool({}), tool({ eager_input_streaming: true }), { type: 'x', eager_input_streaming: true }] },
      ['tools[1].eager_input_streaming'],
      { tools: [tool({}), tool({}), { type: 'x', eager_input_streaming: true }] },
    ],
    [
      `thinking.adaptive.display: ${EXTRA}`,
      { thinking: { type: 'adaptive', display: 'summarized' } },
      ['thinking.display'],
      { thinking: { type: 'adaptive' } },
    ],
    [
      `messages.0.content.0.text.citations: ${EXTRA}`,
      {
        messages: [
          { role: 'user', content: [{ ...marked({}), citations: [1] }] },
          { role: 'assistant', content: [{ ...marked({}), citations: [2] }] },
        ],
      },
      ['messages[0].content[0].citations'],
      {
        messages: [
          { role: 'user', content: [marked({})] },
          { role: 'assistant', content: [{ ...marked({}), citations: [2] }] },
        ],
      },
    ],
    [
      `metadata: ${EXTRA}, tools.0.custom.strict: ${EXTRA}`,
      { metadata: {}, tools: [tool({ strict: true })] },
      ['metadata', 'tools[0].strict'],
      { tools: [tool({})] },
    ],
    [
      "Unknown parameter: 'input[1].phase'.",
      { input: [{ role: 'user' }, { role: 'x', phase: 1 }] },
      ['input[1].phase'],
      { input: [{ role: 'user' }, { role: 'x' }] },
    ],
    [
      "Unknown parameter: 'text.flavor'.",
      { text: { verbosity: 'low', flavor: 1 } },
      ['text.flavor'],
      { text: { verbosity: 'low' } },
    ],
    [
      'Malformed input request: #/tools/0: extraneous key [strict] is not permitted, please reformat your input.',
      { tools: [tool({ strict: true })] },
      ['tools[0].strict'],
      { tools: [tool({})] },
    ],
    ['Malformed input request: #: extraneous key [metadata] is not permitted.', { metadata: {} }, ['metadata'], {}],
    ['Unrecognized request argument supplied: client_metadata', { client_metadata: {} }, ['client_metadata'], {}],
  ])('is left out: %s', (message, fields, paths, rest) => {
    expect(leftOut(fields, message)).toEqual({ rest, leftOut: paths });
    expect(leftOut(fields, message, 500)).toBeNull();
    expect(leftOut(rest, message)).toBeNull();
  });

  it.each<[string, object]>([
    ['max_tokens', { max_tokens: 5 }],
    ['max_output_token', { max_output_token: 5 }],
    ['messages', { messages: [] }],
    ['tools', { tools: [tool({})] }],
    ['tools.0', { tools: [tool({})] }],
    ['tools.0.custom.input_schema', { tools: [tool({})] }],
    ['tools.0.custom.input_schema.properties', { tools: [tool({})] }],
    ['tools.0.web_search_20250305.max_uses', { tools: [{ type: 'web_search_20250305', max_uses: 2 }] }],
    ['tools.0.web_search_20250305.blocked_domains', { tools: [{ type: 'web_search_20250305', blocked_domains: [] }] }],
    [
      'messages.0.content.0.tool_use.input.path',
      { messages: [{ content: [{ type: 'tool_use', input: { path: 1 } }] }] },
    ],
    ['messages.0.content.0.text', { messages: [{ content: [{ type: 'text', text: 'Hi' }] }] }],
    ['thinking', { thinking: { type: 'adaptive' } }],
    ['thinking.enabled.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['safety_identifier', { safety_identifier: 'u' }],
    ['inference_geo', { inference_geo: 'us' }],
    ['temperature', { temperature: 0.5 }],
    ['a.b.metadata', { metadata: {} }],
    ['constructor', {}],
    ['system.0.__proto__', { system: [{}] }],
  ])('is not left out if the request would change its meaning, its cost or its safety: %s', (path, fields) => {
    expect(leftOut(fields, `${path}: ${EXTRA}`)).toBeNull();
  });

  it('a refused field that the request quotes is recognized', () => {
    const quoting = { metadata: {}, messages: [{ role: 'user', content: `Why "metadata: ${EXTRA}"?` }] };
    expect(quotesRefusal(bodyOf(quoting))).toBe(true);
    expect(quotesRefusal(bodyOf({ metadata: {} }))).toBe(false);
  });
});

it('the header has each field once, without names that are not valid in a header', () => {
  const names = ['top_k', 'messages[2].content[0]', 'top_k', 'a\r\nx-evil: 1', 'é', '\0', '', 'x'.repeat(101), 'a, b'];
  expect(ignoredHeaders(names)).toEqual({ 'x-gateway-ignored-parameters': 'top_k, messages[2].content[0]' });
});

it('the header is missing without names, and limited with many names', () => {
  expect(ignoredHeaders([])).toEqual({});
  expect(ignoredHeaders(['é'])).toEqual({});
  const many = ignoredHeaders(Array.from({ length: 1000 }, (_, index) => `tools[${index}]`));
  expect(many['x-gateway-ignored-parameters']?.split(', ')).toHaveLength(40);
});
