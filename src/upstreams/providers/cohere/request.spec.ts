import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatTool } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { toRequestBody } from './request.js';

const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'Hi' }];
const tools: ChatTool[] = [
  { type: 'function', function: { name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } } },
  { type: 'function', function: { name: 'now' } },
];

function body(request: Partial<ChatCompletionRequest> = {}, upstreamModel = 'command-a-plus-05-2026'): JsonObject {
  return toRequestBody({ ...providerCall({ messages, ...request }), upstreamModel });
}

describe('a chat request', () => {
  it('has only the upstream model and the conversation', () => {
    expect(body()).toEqual({ model: 'command-a-plus-05-2026', messages, stream: false });
  });

  it("sends sampling fields with the API's names, and drops harmless fields without an equivalent", () => {
    const sampling = {
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      stop: 'END',
      seed: 7,
      max_tokens: 5,
      frequency_penalty: 0,
      presence_penalty: 0.5,
    };
    const harmless = { user: 'u', metadata: { a: 'b' }, store: true, service_tier: 'flex', n: 1, unheard_of: true };
    expect(body({ ...sampling, ...harmless, stream: true, stream_options: { include_usage: true } })).toEqual({
      ...body(),
      stream: true,
      temperature: 0,
      p: 0.5,
      k: 3,
      stop_sequences: ['END'],
      seed: 7,
      max_tokens: 5,
      presence_penalty: 0.5,
    });
    expect(body({ stop: ['a', 'b'] }).stop_sequences).toEqual(['a', 'b']);
    expect(body({ max_tokens: 5, max_completion_tokens: 6 }).max_tokens).toBe(6);
  });

  it("forwards the API's own fields", () => {
    const own = { documents: [{ data: { text: 'x' } }], citation_options: { mode: 'FAST' }, safety_mode: 'STRICT' };
    expect(body({ ...own })).toEqual({ ...body(), ...own });
  });
});

describe('tools', () => {
  it('have a description and parameters', () => {
    expect(body({ tools }).tools).toEqual([
      tools[0],
      {
        type: 'function',
        function: { name: 'now', description: 'now', parameters: { type: 'object', properties: {} } },
      },
    ]);
  });

  it.each<[ChatCompletionRequest['tool_choice'], string | undefined, string[]]>([
    [undefined, undefined, ['look_up', 'now']],
    ['auto', undefined, ['look_up', 'now']],
    ['none', 'NONE', ['look_up', 'now']],
    ['required', 'REQUIRED', ['look_up', 'now']],
    [{ type: 'function', function: { name: 'now' } }, 'REQUIRED', ['now']],
    [allowed('auto'), undefined, ['now']],
    [allowed('required'), 'REQUIRED', ['now']],
  ])('tools with choice %j become %j of %j', (tool_choice, word, names) => {
    const sent = body({ tools, ...(tool_choice && { tool_choice }) });
    expect(sent.tool_choice).toBe(word);
    expect(sent.tools).toMatchObject(names.map((name) => ({ function: { name } })));
  });

  it('are left out if there are none', () => {
    expect(body({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })).toEqual(body());
  });

  it('are strict if all tools are, and one has a required parameter', () => {
    const strict = (name: string, required: string[]): ChatTool => ({
      type: 'function',
      function: { name, strict: true, parameters: { type: 'object', required } },
    });
    expect(body({ tools: [strict('a', ['x']), strict('b', ['y'])] }).strict_tools).toBe(true);
    expect(body({ tools: [strict('a', ['x']), strict('b', [])] }).strict_tools).toBeUndefined();
    expect(body({ tools: [strict('a', ['x']), ...tools] }).strict_tools).toBeUndefined();
  });

  it.each([
    ['look-up', 'look_up'],
    ['9lives', '_9lives'],
    ['näh.er', 'n_h_er'],
    ['', '_'],
  ])('have names of letters, digits and _: %j is %j', (name, sent) => {
    expect(body({ tools: [{ type: 'function', function: { name } }] }).tools).toMatchObject([
      { function: { name: sent } },
    ]);
  });
});

describe('a response format', () => {
  it.each<[ChatCompletionRequest['response_format'], JsonObject | undefined]>([
    [{ type: 'text' }, undefined],
    [{ type: 'json_object' }, { type: 'json_object' }],
    [{ type: 'json_schema', json_schema: { name: 'a' } }, { type: 'json_object' }],
    [
      { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: { type: 'object' } } },
      { type: 'json_object', json_schema: { type: 'object' } },
    ],
  ])('%j becomes %j', (format, sent) => {
    expect(body({ ...(format && { response_format: format }) }).response_format).toEqual(sent);
  });
});

describe('a reasoning effort', () => {
  it.each<[string, number | null, JsonObject]>([
    ['none', null, { type: 'disabled' }],
    ['minimal', null, { type: 'enabled', token_budget: 1024 }],
    ['low', null, { type: 'enabled', token_budget: 2048 }],
    ['medium', null, { type: 'enabled', token_budget: 8192 }],
    ['high', null, { type: 'enabled' }],
    ['xhigh', 10, { type: 'enabled' }],
    ['low', 1000, { type: 'enabled', token_budget: 800 }],
    ['low', 1, { type: 'enabled', token_budget: 1 }],
  ])('%s within %j tokens becomes %j', (reasoning_effort, max_tokens, thinking) => {
    expect(body({ reasoning_effort, max_tokens }).thinking).toEqual(thinking);
  });

  it("gives precedence to the API's own field", () => {
    const thinking = { type: 'enabled', token_budget: 77 };
    expect(body({ reasoning_effort: 'none', thinking }).thinking).toEqual(thinking);
  });

  it('a reasoning effort of none is left out for a model that never thinks', () => {
    for (const model of ['command-r7b-12-2024', 'command-a-03-2025', 'command-a-vision-07-2025']) {
      expect(body({ reasoning_effort: 'none' }, model).thinking).toBeUndefined();
    }
  });
});

function allowed(mode: 'auto' | 'required'): ChatCompletionRequest['tool_choice'] {
  return { type: 'allowed_tools', allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'now' } }] } };
}
