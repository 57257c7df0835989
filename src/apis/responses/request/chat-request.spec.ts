import { describe, expect, it } from '@jest/globals';
import { toChatRequest } from '../../../completions/dto/chat-completion-request.js';
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
  ])('of %s', (_what, fields, expected) => {
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
