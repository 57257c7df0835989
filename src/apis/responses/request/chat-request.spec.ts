import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../../test/support/core-time.js';
import { toChatRequest } from '../../../completions/formats/chat-completion-request.js';
import { responsesFormat } from '../responses.format.js';

const chatOf = (fields: object) =>
  responsesFormat.read({ model: 'm', input: 'Hi', ...fields }, { headers: {}, path: '/' }).request;

describe('the inner form', () => {
  it.each<[string, object, object]>([
    ['a text', {}, { messages: [{ role: 'user', content: 'Hi' }] }],
    [
      'instructions',
      { instructions: 'Be kind' },
      { messages: [{ role: 'system', content: 'Be kind' }, { role: 'user' }] },
    ],
    ['a limit', { max_output_tokens: 50 }, { max_completion_tokens: 50 }],
    ['sampling', { temperature: 0.5, top_p: 0.9 }, { temperature: 0.5, top_p: 0.9 }],
    ['effort', { reasoning: { effort: 'high', summary: 'auto' } }, { reasoning_effort: 'high' }],
    ['verbosity', { text: { verbosity: 'low' } }, { verbosity: 'low' }],
    ['JSON', { text: { format: { type: 'json_object' } } }, { response_format: { type: 'json_object' } }],
    [
      'a schema',
      { text: { format: { type: 'json_schema', name: 's', schema: { type: 'object' }, strict: true } } },
      {
        response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' }, strict: true } },
      },
    ],
    ['a stream, with its usage', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
    ['logprobs', { include: ['message.output_text.logprobs'] }, { logprobs: true }],
    [
      'more logprobs',
      { include: ['message.output_text.logprobs'], top_logprobs: 3 },
      { logprobs: true, top_logprobs: 3 },
    ],
    [
      'fields that identify the caller',
      { user: 'u', safety_identifier: 's', metadata: { a: 'b' }, prompt_cache_key: 'k', service_tier: 'flex' },
      { user: 'u', safety_identifier: 's', metadata: { a: 'b' }, prompt_cache_key: 'k', service_tier: 'flex' },
    ],
    [
      'a function',
      { tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }] },
      {
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
        ],
      },
    ],
    [
      'a chosen function',
      {
        tools: [{ type: 'function', name: 'f' }],
        tool_choice: { type: 'function', name: 'f' },
        parallel_tool_calls: false,
      },
      { tool_choice: { type: 'function', function: { name: 'f' } }, parallel_tool_calls: false },
    ],
    [
      'allowed tools',
      {
        tools: [
          { type: 'function', name: 'f' },
          { type: 'function', name: 'g' },
        ],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] },
      },
      {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] },
        },
      },
    ],
    [
      'a custom tool, as a function with one argument',
      {
        tools: [
          {
            type: 'custom',
            name: 'sql',
            description: 'Runs it.',
            format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
          },
        ],
      },
      {
        tools: [
          {
            type: 'function',
            function: {
              name: 'sql',
              description: expect.stringMatching(/^Runs it\.\n\n.*lark.*\nstart: "a"$/),
              parameters: { required: ['input'] },
            },
          },
        ],
      },
    ],
  ])('the inner form of %s', (_what, fields, expected) => {
    const chat = chatOf(fields);
    expect(chat).toMatchObject(expected);
    // Must be a valid chat completion request.
    expect(() => toChatRequest(structuredClone(chat))).not.toThrow();
  });

  it('leaves out fields with default values', () => {
    const nothing = {
      ...{ instructions: null, max_output_tokens: null, temperature: null, tools: [], tool_choice: 'auto', text: {} },
      ...{ parallel_tool_calls: true, reasoning: null, include: [], top_logprobs: 0, store: true, stream: false },
    };
    expect(chatOf(nothing)).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
  });
});

describe('an item that updates the configuration', () => {
  const user = { role: 'user', content: 'Hi' };
  const update = (fields: object) => ({ type: 'configuration_update', ...fields });
  const format = { type: 'json_schema', name: 's', schema: { type: 'object' } };

  it('sets the effort and the format of the answer, the last one counting, and is not a message', () => {
    const input = [
      update({ reasoning: { effort: 'high' }, text: { format } }),
      user,
      update({ id: 'cu_1', reasoning: { effort: 'low' } }),
    ];
    const { request, native } = responsesFormat.read(
      { model: 'm', input, reasoning: { effort: 'max' } },
      { headers: {}, path: '/' },
    );
    expect(request).toMatchObject({
      messages: [user],
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 's' } },
    });
    expect(native?.untranslated).toEqual([]);
    expect(native?.body.fields.input).toBe(input);
  });

  it('can return to plain text', () => {
    const input = [user, update({ text: { format: { type: 'text' } } })];
    expect(chatOf({ input, text: { format } })).not.toHaveProperty('response_format');
  });

  it('is checked', () => {
    expect(() => chatOf({ input: [user, update({ reasoning: { effort: 3 } })] })).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'input[1].reasoning.effort' }) }),
    );
  });
});

it('names what only its own provider can do with reasoning and tools, when it is translated', () => {
  const fields = {
    reasoning: { effort: 'high', mode: 'pro', context: 'all_turns', summary: 'auto' },
    tools: [{ type: 'function', name: 'f', async: true }],
  };
  const { native } = responsesFormat.read({ model: 'm', input: 'Hi', ...fields }, { headers: {}, path: '/' });
  expect(native?.untranslated).toEqual(['tools[0].async', 'reasoning.mode', 'reasoning.context']);
  expect(native?.body.fields).toMatchObject(fields);
});

describe('tools in a namespace', () => {
  const long = 'n'.repeat(60);
  const names = (fields: object) =>
    (chatOf(fields).tools ?? []).map((tool) => tool.type === 'function' && tool.function.name);
  const space = (name: string, ...tools: string[]) => ({
    type: 'namespace',
    name,
    description: 'All of them.',
    tools: tools.map((tool) => ({ type: 'function', name: tool, parameters: { type: 'object' }, strict: false })),
  });

  it('have valid and unique names', () => {
    const tools = [
      space('mcp__files__', 'read', 'write'),
      space('a b', 'read'),
      space('a_b', 'read'),
      space(long, 'read', 'reader'),
      { type: 'function', name: 'mcp__files__read' },
    ];
    const offered = names({ tools });
    expect(new Set(offered).size).toBe(7);
    for (const name of offered) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(offered.at(-1)).toBe('mcp__files__read');
    expect(offered[1]).toBe('mcp__files__write');
    expect(offered).toEqual(names({ tools }));
  });

  it('are allowed once, however often and whatever namespaces are named', async () => {
    const tools = Array.from({ length: 3000 }, (_, index) => space(`n${index}`, 'f'));
    const named = [...tools, ...tools].map(({ name }) => ({ type: 'namespace', name }));
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: named };
    const choices: unknown[] = [];
    const ms = await coreMsOf(() => choices.push(chatOf({ tools, tool_choice: allowed }).tool_choice));
    expect(choices).toMatchObject([
      { allowed_tools: { tools: tools.map(({ name }) => ({ function: { name: `${name}__f` } })) } },
    ]);
    expect(ms).toBeLessThan(500);
  });

  it('keep their names in earlier calls, in choices, and in allowed tools', () => {
    const tools = [space('git', 'log', 'diff')];
    const chosen = { type: 'function', name: 'log', namespace: 'git' };
    expect(chatOf({ tools, tool_choice: chosen }).tool_choice).toEqual({
      type: 'function',
      function: { name: 'git__log' },
    });
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'namespace', name: 'git' }] };
    expect(chatOf({ tools, tool_choice: allowed }).tool_choice).toMatchObject({
      allowed_tools: { tools: [{ function: { name: 'git__log' } }, { function: { name: 'git__diff' } }] },
    });
    const call = { type: 'function_call', call_id: 'c', namespace: 'git', name: 'diff', arguments: '{}' };
    expect(chatOf({ tools, input: [call] }).messages).toMatchObject([
      { tool_calls: [{ function: { name: 'git__diff' } }] },
    ]);
  });
});
