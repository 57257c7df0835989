import { describe, expect, it } from '@jest/globals';
import { deepFreeze } from '../../../test/support/deep-freeze.js';
import { toPrice } from '../../billing/price.js';
import { hostedTools, tierOf, unpricedOptionError } from '../../limits/paid-options.js';
import type { Model } from '../../models/model.types.js';
import { promptCeiling } from '../../upstreams/tokens/prompt-ceiling.js';
import { encodeReasoning } from '../shared/carried-reasoning.js';
import { messagesFormat } from './messages.format.js';

const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a-2025-01-01,b-2025-01-01' };
const minimal = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
const EPHEMERAL = { type: 'ephemeral' };

/** Frozen, since the client's request is passed on unchanged. */
function read(fields: object) {
  return messagesFormat.read(deepFreeze({ ...minimal, ...fields }), { headers, path: '/v1/messages' });
}

const native = (fields: object) => read(fields).native;
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: 1 } });

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Hm.', signature });
const own = { google: { thought_signature: 'sig' } };

describe('a request for a native target', () => {
  it('has no reasoning with our mark, and no messages that contain nothing else', () => {
    const signature = encodeReasoning({ call: own });
    const claudes = thinking('s1');
    const hello = minimal.messages[0];
    const messages = [
      hello,
      assistant(thinking(signature)),
      assistant(claudes, thinking(signature), toolUse('a')),
      hello,
    ];
    expect(native({ messages })?.body.fields.messages).toEqual([hello, assistant(claudes, toolUse('a')), hello]);
  });

  it('is unchanged, including unknown fields, and has the same list of messages', () => {
    const body = {
      unknown_beta: { x: 1 },
      ...minimal,
      context_management: {},
      tools: [{ type: 'bash_20250124', name: 'bash' }],
    };
    const { native: own } = messagesFormat.read(body, { headers, path: '/v1/messages' });
    expect(own?.body).toEqual({ api: 'messages', fields: body, headers });
    expect(Object.keys(own?.body.fields ?? {})).toEqual(Object.keys(body));
    expect(own?.body.fields.messages).toBe(body.messages);
  });

  it('has no fields that choose a destination, an account or another model', () => {
    const denied = { api_base: 'https://a.example', fallbacks: [], workspace_id: 'w', billing_policy: {}, apiKey: 'k' };
    expect(native(denied)?.body.fields).toEqual(minimal);
  });

  it.each<[string, object, string[]]>([
    ['nothing', { service_tier: null, context_management: null }, []],
    ['context management', { context_management: { edits: [] } }, ['context_management']],
    ['the service tier', { service_tier: 'auto' }, ['service_tier']],
    [
      'unknown fields',
      { new_beta: 1, output_config: { task_budget: { type: 'tokens' } } },
      ['new_beta', 'output_config.task_budget'],
    ],
    [
      'cache marks, once',
      { system: [{ type: 'text', text: 'a', cache_control: EPHEMERAL }], cache_control: EPHEMERAL },
      ['cache_control'],
    ],
    [
      'web search',
      {
        tools: [
          { name: 'f', input_schema: {} },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
      },
      ['tools[1]'],
    ],
    [
      'traces of hosted tools',
      {
        messages: [
          minimal.messages[0],
          assistant(
            { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
            { type: 'text', text: 'So.' },
          ),
        ],
      },
      ['messages[1].content[0]', 'messages[1].content[1]'],
    ],
    [
      'references to tools',
      {
        messages: [
          user({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'b' }] }),
        ],
      },
      ['messages[0].content[0].content[0]'],
    ],
    [
      'a strict schema with optional properties',
      { tools: [{ name: 'f', input_schema: { type: 'object', properties: { a: {} } }, strict: true }] },
      ['tools[0].strict'],
    ],
    [
      'citations',
      {
        messages: [
          user({
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'a' },
            citations: { enabled: true },
          }),
        ],
      },
      ['messages[0].content[0].citations'],
    ],
    [
      'citations of a text of the user',
      { messages: [user({ type: 'text', text: 'a', citations: [{ type: 'char_location', cited_text: 'a' }] })] },
      ['messages[0].content[0].citations'],
    ],
    [
      'a document in a message of the assistant',
      { messages: [assistant({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } })] },
      ['messages[0].content[0]'],
    ],
  ])('names what a translation drops: %s', (_what, fields, untranslated) => {
    expect(native(fields)).toMatchObject({ untranslated, untranslatable: null });
  });

  it.each<[object, string]>([
    [{ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }, 'tools[0].type'],
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type'],
    [
      {
        tool_choice: { type: 'tool', name: 'web_search' },
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      },
      'tool_choice.name',
    ],
    [{ messages: [user({ type: 'holograph', data: 'x' })] }, 'messages[0].content[0].type'],
    [{ messages: [assistant({ type: 'compaction', content: 'x' })] }, 'messages[0].content[0].type'],
    [
      { messages: [user({ type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } })] },
      'messages[0].content[0].source.type',
    ],
    [
      { messages: [user({ type: 'image', source: { type: 'file', file_id: 'file_1' } })] },
      'messages[0].content[0].source.type',
    ],
  ])('is a 400 for other targets if it cannot be translated: %j', (fields, param) => {
    expect(native(fields)?.untranslatable).toMatchObject({
      status: 400,
      body: { code: 'unsupported_parameter', param },
    });
  });
});

describe('a block, or a source, of a type that the gateway does not know', () => {
  const unknown = { type: 'smell', smell: 'x'.repeat(9000) };
  const image = { type: 'image', source: unknown };
  const at = 'messages[0].content[0]';

  it.each<[string, object]>([
    [`${at}.type`, user(unknown)],
    [`${at}.type`, assistant(unknown)],
    [`${at}.type`, { role: 'system', content: [unknown] }],
    [`${at}.content[0].type`, user({ type: 'tool_result', tool_use_id: 'a', content: [unknown] })],
    [`${at}.source.type`, user(image)],
    [`${at}.source.type`, user({ type: 'document', source: unknown })],
    [`${at}.source.content[0].type`, user({ type: 'document', source: { type: 'content', content: [unknown] } })],
    [`${at}.content[0].type`, user({ type: 'search_result', source: 's', title: 't', content: [unknown] })],
  ])('passes natively and counts for limits; elsewhere %s is a 400', (path, message) => {
    const { native, charged } = read({ messages: [message] });
    expect(native?.body.fields.messages).toEqual([message]);
    expect(promptCeiling(charged, 0).tokens).toBeGreaterThan(9000);
    expect(native?.untranslatable).toMatchObject({ status: 400, body: { param: path } });
  });
});

describe('the request that limits and prices read', () => {
  it('is the inner form if that contains all fields', () => {
    const { request, charged } = read({ tools: [{ name: 'f', input_schema: {} }] });
    expect(charged).toMatchObject(request);
  });

  it('has one tier, which is refused or charged by the field that the client sent', () => {
    const { charged } = read({ speed: 'fast' });
    const price = toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10, serviceTiers: { fast: 6 } });
    expect(tierOf(charged)).toBe('fast');
    expect(unpricedOptionError(charged, { price } as Model)).toBeNull();
    const without = { price: toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10 }) } as Model;
    expect(unpricedOptionError(charged, without)?.body.param).toBe('speed');
  });

  it('has hosted tools in the client’s order, without the version in their names', () => {
    const { charged } = read({
      tools: [
        { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
        { name: 'f', input_schema: {} },
      ],
    });
    expect(charged.tools).toMatchObject([{ type: 'web_search', max_uses: 3 }, { type: 'function' }]);
  });

  it.each([
    'bash_20250124',
    'browser_toolset_20260801',
    'computer_20251124',
    'computer_toolset_20260801',
    'memory_20250818',
    'text_editor_20250728',
  ])('has the tool %s as one that the client runs', (type) => {
    const { charged, native } = read({ tools: [{ type, name: 'a' }] });
    expect(hostedTools(charged)).toEqual([]);
    expect(charged.tools).toEqual([{ type: 'function', function: { type, name: 'a' } }]);
    expect(native?.untranslatable?.body.param).toBe('tools[0].type');
  });

  it('has a dearer web search by its own name', () => {
    const { charged } = read({
      tools: [
        { type: 'web_search_premium', name: 'a' },
        { type: 'web_search_20260318', name: 'b' },
      ],
    });
    expect(hostedTools(charged).map(({ name }) => name)).toEqual(['web_search_premium', 'web_search']);
  });

  it.each(['code_execution_20250825', 'bash_code_execution_20250825', 'telepathy_20270101', 'bash_remote'])(
    'has the tool %s as one that the provider runs',
    (type) => {
      expect(hostedTools(read({ tools: [{ type, name: 'a' }] }).charged)).toMatchObject([{ param: 'tools[0]' }]);
    },
  );

  it('includes content that only a native target reads', () => {
    const trace = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ title: 'x'.repeat(9000) }] };
    const { charged } = read({ messages: [...minimal.messages, assistant(trace)] });
    expect(promptCeiling(charged, 0).tokens).toBeGreaterThan(9000);
  });
});

describe('web search on a model that has no price for it', () => {
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const own = { name: 'f', input_schema: {} };

  it('is left out everywhere, and named', () => {
    const without = read({ tools: [search, own], tool_choice: { type: 'auto' } }).withoutWebSearch?.();
    expect(without?.native?.body.fields).toEqual({ ...minimal, tools: [own], tool_choice: { type: 'auto' } });
    expect(without?.native?.leftOut).toEqual(['tools[0]']);
    expect(without?.charged.tools).toEqual(without?.request.tools);
    expect(without?.withoutWebSearch).toBeUndefined();
  });

  it('is left out together with the tool choice, if no tools remain', () => {
    const without = read({ tools: [search], tool_choice: { type: 'auto' } }).withoutWebSearch?.();
    expect(without?.native?.body.fields).toEqual(minimal);
  });

  it('cannot be left out if the request insists on it, or has no web search', () => {
    expect(
      read({ tools: [search], tool_choice: { type: 'tool', name: 'web_search' } }).withoutWebSearch,
    ).toBeUndefined();
    expect(read({ tools: [own] }).withoutWebSearch).toBeUndefined();
  });
});

it.each([
  [
    { messages: [user({ type: 'image', source: { type: 'file', file_id: 'f' } })] },
    'messages[0].content[0].source.file_id',
  ],
  [{ messages: [user({ type: 'container_upload', file_id: 'f' })] }, 'messages[0].content[0].file_id'],
  [
    {
      messages: [
        user({
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }],
        }),
      ],
    },
    'messages[0].content[0].content[0].source.file_id',
  ],
  [
    {
      messages: [
        user({
          type: 'web_fetch_tool_result',
          tool_use_id: 'a',
          content: { type: 'web_fetch_result', content: { type: 'document', source: { type: 'file', file_id: 'f' } } },
        }),
      ],
    },
    'messages[0].content[0].content.content.source.file_id',
  ],
  [
    {
      messages: [
        user({
          type: 'code_execution_tool_result',
          tool_use_id: 'a',
          content: { type: 'code_execution_result', content: [{ type: 'code_execution_output', file_id: 'f' }] },
        }),
      ],
    },
    null,
  ],
  [{ messages: [user({ type: 'text', text: 'gs://bucket/file_id' })] }, null],
])('finds the path of a file in the provider’s account: %j', (fields, path) => {
  expect(read(fields).native?.accountFile).toBe(path);
});
