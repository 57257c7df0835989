import { describe, expect, it } from '@jest/globals';
import type { ClientCall } from '../../../completions/formats/call-format.js';
import { hostedTools } from '../../../limits/paid-options.js';
import { encodeReasoning } from '../../shared/carried-reasoning.js';
import { responsesFormat } from '../responses.format.js';

const read = (fields: object): ClientCall =>
  responsesFormat.read({ model: 'm', input: 'Hi', ...fields }, { headers: {}, path: '/v1/responses' });
const nativeOf = (fields: object) => {
  const { native } = read(fields);
  if (!native) throw new Error('There is no native request.');
  return native;
};
const f = { type: 'function', name: 'f' };
const search = { type: 'web_search', external_web_access: false };
const user = { role: 'user', content: 'Hi' };

describe('a native target gets', () => {
  it('the body unchanged', () => {
    const body = {
      model: 'm',
      ...{ unknown: { a: null }, store: true, input: [{ ...user, id: 'msg_1' }], client_metadata: { a: 'b' } },
      ...{ tools: [{ ...f, defer_loading: true }, search, { type: 'tool_search' }], include: ['x'], stream: true },
      ...{
        reasoning: { effort: 'high', summary: 'auto', context: 'all' },
        stream_options: { include_obfuscation: false },
      },
    };
    const { fields } = nativeOf(body).body;
    expect(fields).toEqual(body);
    // The same lists, so that they can be sent as the received bytes.
    expect([fields.input, fields.tools]).toEqual([body.input, body.tools]);
    expect(fields.input).toBe(body.input);
  });

  it('no field that redirects the call', () => {
    const fields = { api_key: 'sk', base_url: 'https://evil.example', extra_headers: {}, models: ['x'], user: 'u' };
    expect(Object.keys(nativeOf(fields).body.fields)).toEqual(['model', 'input', 'user']);
  });

  it('reasoning, except reasoning that the gateway wrote for other providers', () => {
    const theirs = { type: 'reasoning', id: 'rs_68af', summary: [], encrypted_content: 'gAAAA' };
    const bare = { type: 'reasoning', id: 'rs_68b0', summary: [] };
    const ours = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: encodeReasoning({}) };
    const unencrypted = { type: 'reasoning', id: 'rs_gw1_01', summary: [{ type: 'summary_text', text: 'x' }] };
    const input = [user, theirs, ours, unencrypted, bare];
    expect(nativeOf({ input }).body.fields.input).toEqual([user, theirs, bare]);
  });
});

describe('tools offered by an item of the input', () => {
  const exec = { type: 'custom', name: 'exec' };
  const item = {
    type: 'additional_tools',
    role: 'developer',
    tools: [{ type: 'namespace', name: 'n', tools: [exec] }, f],
  };

  it('are offered to translated targets like the tools of the request, and are not a message', () => {
    const { request, native } = read({ input: [item, user], tools: [{ type: 'function', name: 'g' }] });
    expect(request.tools?.map((tool) => tool.type === 'function' && tool.function.name)).toEqual(['g', 'n__exec', 'f']);
    expect(request.messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(native?.body.fields.input).toEqual([item, user]);
  });

  it('are sent to native targets without web search, which only has a price in the list of tools', () => {
    const { native } = read({ input: [{ ...item, tools: [f, search] }, user] });
    expect(native?.body.fields.input).toEqual([{ ...item, tools: [f] }, user]);
    expect(native?.untranslated).toEqual(['input[0].tools[1]']);
  });

  it('cannot be hosted', () => {
    const input = [user, { ...item, tools: [f, { type: 'mcp' }] }];
    expect(() => read({ input })).toThrow(/'input\[1\].tools\[1\].type' is not supported/);
  });
});

describe('the list of fields that translated targets do not receive', () => {
  it.each<[string[], object]>([
    [[], {}],
    [[], { include: ['reasoning.encrypted_content', 'message.output_text.logprobs'], truncation: 'disabled' }],
    [[], { input: [{ ...user, id: 'msg_1', status: 'completed' }], store: true, client_metadata: null }],
    [['client_metadata', 'truncation'], { client_metadata: { a: 'b' }, truncation: 'auto' }],
    [['include[1]'], { include: ['reasoning.encrypted_content', 'file_search_call.results'] }],
    [['tools[1]'], { tools: [f, search] }],
    [['tools[0]', 'tools[1]'], { tools: [{ type: 'web_search_preview' }, { type: 'web_search_2025_08_26' }] }],
    [['tools[0].defer_loading'], { tools: [{ ...f, defer_loading: true, async: false }] }],
    [['input[1]', 'input[2]'], { input: [user, { type: 'web_search_call', id: 'ws_1' }, { type: 'mcp_list_tools' }] }],
    [
      ['input[1]', 'input[2]', 'input[3]', 'input[4]'],
      {
        input: [
          user,
          { type: 'file_search_call' },
          { type: 'code_interpreter_call', container_id: 'c' },
          { type: 'image_generation_call' },
          { type: 'mcp_call' },
        ],
      },
    ],
  ])('is %j for %j', (untranslated, fields) => {
    const native = nativeOf(fields);
    expect(native.untranslated).toEqual(untranslated);
    expect(native.untranslatable).toBeNull();
  });
});

const inputText = { type: 'input_text', text: 'Hi' };
const unknownPart = { type: 'input_smell', smell: 'x'.repeat(1000) };

describe('a request that only native targets can serve', () => {
  it.each<[string, object]>([
    ['tools[0].type', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['tools[1].type', { tools: [f, { type: 'mcp', server_label: 'x' }] }],
    ['tools[0].type', { tools: [{ type: 'telepathy' }] }],
    ['tool_choice.type', { tools: [f], tool_choice: { type: 'file_search' } }],
    ['tool_choice', { tools: [search], tool_choice: 'required' }],
    ['tool_choice.type', { tools: [search], tool_choice: { type: 'web_search' } }],
    ['input[1].type', { input: [user, { type: 'computer_call', call_id: 'c' }] }],
    ['input[0].type', { input: [{ type: 'compaction', encrypted_content: 'x' }, user] }],
    [
      'input[0].content[0].file_url',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.b/c' }] }] },
    ],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] },
    ],
    [
      'input[0].content[0].type',
      { input: [{ role: 'system', content: [{ type: 'input_image', image_url: 'https://a.b' }] }, user] },
    ],
    ['input[1].type', { input: [user, { type: 'telepathy', thought: 'x' }] }],
    ['input[0].content[1].type', { input: [{ role: 'user', content: [inputText, unknownPart] }] }],
    ['input[0].content[0].type', { input: [{ role: 'developer', content: [unknownPart] }, user] }],
    ['input[0].content[0].type', { input: [{ role: 'assistant', content: [unknownPart] }, user] }],
    [
      'input[0].output[0].type',
      { input: [{ type: 'function_call_output', call_id: 'c', output: [unknownPart] }, user] },
    ],
    ['moderation', { moderation: { model: 'm' } }],
    ['thinking', { thinking: { type: 'enabled' } }],
    ['input', { input: [{ type: 'web_search_call' }] }],
  ])('is a 400 that names %s for other targets', (param, fields) => {
    const { status, body } = nativeOf(fields).untranslatable ?? {};
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
    expect(body?.message).toContain(`'${param}'`);
  });
});

describe('limits and prices count', () => {
  it('the tools that the provider runs, at their positions in the client’s list', () => {
    const tools = [
      f,
      { type: 'namespace', name: 'n', tools: [f] },
      search,
      { type: 'mcp' },
      { type: 'custom', name: 'c' },
    ];
    expect(hostedTools(read({ tools }).charged)).toMatchObject([
      { name: 'web_search', param: 'tools[2]' },
      { name: 'mcp', param: 'tools[3]' },
    ]);
    expect(hostedTools(read({ tools }).request)).toEqual([]);
  });

  it('no tools that cost only tokens', () => {
    const free = ['apply_patch', 'computer', 'computer_use_preview', 'local_shell', 'tool_search'];
    const shell = { type: 'shell', environment: { type: 'local' } };
    const { charged, native } = read({ tools: [f, ...free.map((type) => ({ type })), shell] });
    expect(hostedTools(charged)).toEqual([]);
    expect(charged.tools?.at(-1)).toEqual({ type: 'function', function: shell });
    expect(native?.untranslatable?.body.param).toBe('tools[1].type');
  });

  it.each([{ type: 'shell' }, { type: 'shell', environment: { type: 'container_auto' } }, { type: 'telepathy' }])(
    'the tool %j as run by the provider',
    (tool) => {
      expect(hostedTools(read({ tools: [f, tool] }).charged)).toMatchObject([{ name: tool.type, param: 'tools[1]' }]);
    },
  );

  it('items that only native targets read', () => {
    const compaction = { type: 'compaction', encrypted_content: 'x'.repeat(1000) };
    const { request, charged } = read({ input: [user, compaction] });
    expect(request.messages).toEqual([user]);
    expect(charged.messages).toEqual([user, { role: 'user', content: [compaction] }]);
  });

  it('items and parts of types that the gateway does not know', () => {
    const item = { type: 'telepathy', thought: 'x'.repeat(1000) };
    const { charged, native } = read({ input: [{ role: 'user', content: [inputText, unknownPart] }, item] });
    expect(charged.messages.slice(-2)).toEqual([
      { role: 'user', content: [item] },
      { role: 'user', content: [unknownPart] },
    ]);
    expect(native?.body.fields.input).toEqual([{ role: 'user', content: [inputText, unknownPart] }, item]);
  });

  it('reasoning once: as the provider encrypted it, or in the inner form', () => {
    const theirs = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
    expect(read({ input: [user, theirs] }).charged.messages.at(-1)).toEqual({ role: 'user', content: [theirs] });
    const ours = { ...theirs, encrypted_content: encodeReasoning({}) };
    const call = read({ input: [user, ours] });
    expect(call.charged).toMatchObject(call.request);
  });

  it('only the inner form otherwise', () => {
    const call = read({ tools: [f] });
    expect(call.charged).toMatchObject(call.request);
  });
});

describe('without web search', () => {
  it('a call has the same fields except those tools, whose paths are reported', () => {
    const tool_choice = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }, f] };
    const call = read({ tools: [f, search], tool_choice, reasoning: { effort: 'unheard-of' } }).withoutWebSearch?.();
    expect(call?.native?.body.fields).toMatchObject({ tools: [f], tool_choice: { ...tool_choice, tools: [f] } });
    expect(call?.native?.leftOut).toEqual(['tools[1]']);
    expect(call?.withoutWebSearch).toBeUndefined();
    expect(hostedTools(call?.charged ?? read({}).charged)).toEqual([]);
  });

  it.each([{ tools: [f] }, { tools: [search], tool_choice: { type: 'web_search' } }])(
    'there is no call for %j',
    (fields) => {
      expect(read(fields).withoutWebSearch).toBeUndefined();
    },
  );
});

describe('references to the provider’s account are named', () => {
  const part = (fields: object) => ({ input: [user, { role: 'user', content: [fields] }] });

  it.each<[string | null, object]>([
    [null, { input: [{ role: 'user', content: [{ type: 'input_text', text: 'gs://bucket' }] }] }],
    [
      null,
      {
        input: [
          { role: 'assistant', content: [{ type: 'output_text', text: '', annotations: [{ file_id: 'f' }] }] },
          user,
        ],
      },
    ],
    ['input[1].content[0].file_id', part({ type: 'input_image', file_id: 'file-1' })],
    ['input[1].content[0].file_id', part({ type: 'input_file', file_id: 'file-1' })],
    [
      'input[0].output[0].file_id',
      { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'f' }] }] },
    ],
    ['input[0].output.file_id', { input: [{ type: 'computer_call_output', output: { file_id: 'file-1' } }] }],
    ['input[1].content[0].file_id', part({ type: 'input_smell', file_id: 'file-1' })],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'assistant', content: [{ type: 'output_smell', file_id: 'file-1' }] }, user] },
    ],
    ['tools[0].vector_store_ids', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    [
      'tools[0].container.file_ids',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }] },
    ],
    [
      'tools[0].environment.file_ids',
      { tools: [{ type: 'shell', environment: { type: 'container_auto', file_ids: ['f'] } }] },
    ],
    [
      'tools[0].environment.skills[0].skill_id',
      { tools: [{ type: 'shell', environment: { skills: [{ type: 'skill_reference', skill_id: 's' }] } }] },
    ],
    [null, { tools: [{ type: 'tool_search', parameters: { properties: { user_id: {} } } }] }],
    [
      'tools[0].input_image_mask.file_id',
      { tools: [{ type: 'image_generation', input_image_mask: { file_id: 'f' } }] },
    ],
  ])('%s', (path, fields) => {
    expect(nativeOf(fields).accountFile).toBe(path);
  });
});
