import { describe, expect, it } from '@jest/globals';
import type { Check } from './checks.js';
import { functionChoice, functions, toolChoice, tools } from './tool.checks.js';

const get = { name: 'get_weather-1', description: 'x', parameters: { type: 'object' } };
const choice = { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] };

describe('tools, functions and the choice among them', () => {
  it.each<[Check, unknown]>([
    [tools, []],
    [tools, [{ type: 'function', function: { ...get, strict: null } }]],
    [tools, [{ type: 'function', function: { name: 'f', description: null, parameters: null } }]],
    [tools, [{ type: 'custom', custom: { name: 'c' } }]],
    [tools, [custom({ type: 'grammar', grammar: { definition: 'x', syntax: 'lark' } })]],
    [functions, [get]],
    [toolChoice, 'required'],
    [toolChoice, { type: 'function', function: { name: 'f' } }],
    [toolChoice, { type: 'custom', custom: { name: 'c' } }],
    [toolChoice, { type: 'allowed_tools', allowed_tools: choice }],
    [functionChoice, 'auto'],
    [functionChoice, { name: 'f' }],
  ])('row %#: a value that the format allows is accepted', (check, value) => {
    expect(check.faultIn(value)).toBeNull();
  });

  it.each<[Check, string, string, unknown]>([
    [tools, 'invalid_value', '', Array.from({ length: 129 }, () => ({ type: 'function', function: get }))],
    [tools, 'invalid_type', '[0]', ['f']],
    [tools, 'missing_required_parameter', '[0].type', [{ function: get }]],
    [tools, 'invalid_value', '[0].type', [{ type: 'web_search' }]],
    [tools, 'missing_required_parameter', '[0].function', [{ type: 'function' }]],
    [tools, 'missing_required_parameter', '[0].function.name', [{ type: 'function', function: {} }]],
    [tools, 'invalid_value', '[0].function.name', [{ type: 'function', function: { name: 'a b' } }]],
    [tools, 'invalid_value', '[0].function.name', [{ type: 'function', function: { name: 'n'.repeat(65) } }]],
    [tools, 'invalid_value', '[0].function.name', [{ type: 'function', function: { name: 'a\n' } }]],
    [tools, 'invalid_type', '[0].function.parameters', [{ type: 'function', function: { ...get, parameters: [] } }]],
    [tools, 'invalid_value', '[0].custom.format.grammar.syntax', [custom(grammar('bnf'))]],
    [functions, 'invalid_value', '', []],
    [functions, 'missing_required_parameter', '[0].name', [{}]],
    [toolChoice, 'invalid_value', '', 'any'],
    [toolChoice, 'invalid_type', '', true],
    [toolChoice, 'missing_required_parameter', '.function.name', { type: 'function', function: {} }],
    [toolChoice, 'invalid_type', '.allowed_tools.tools[0]', allowed({ ...choice, tools: ['f'] })],
    [toolChoice, 'missing_required_parameter', '.allowed_tools.mode', allowed({ tools: [] })],
    [functionChoice, 'invalid_value', '', 'required'],
    [functionChoice, 'invalid_type', '.name', { name: 1 }],
  ])('row %#: an invalid value is refused', (check, code, path, value) => {
    expect(check.faultIn(value)).toMatchObject({ code, path });
  });
});

function custom(format: object): object {
  return { type: 'custom', custom: { name: 'c', format } };
}

function grammar(syntax: string): object {
  return { type: 'grammar', grammar: { definition: 'x', syntax } };
}

function allowed(value: object): object {
  return { type: 'allowed_tools', allowed_tools: value };
}
