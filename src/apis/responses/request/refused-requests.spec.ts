import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../../test/support/core-time.js';
import { GatewayError } from '../../../common/gateway.error.js';
import { responsesFormat } from '../responses.format.js';

const at = { headers: {}, path: '/v1/responses' };
const parts = (...content: object[]) => ({ input: [{ role: 'user', content }] });
const result = (output: unknown) => ({ input: [{ type: 'function_call_output', call_id: 'c', output }] });

function refusalOf(fields: object): GatewayError {
  try {
    responsesFormat.read({ model: 'm', input: 'Hi', ...fields }, at);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('The request was accepted.');
}

it('a tool of the provider is found at once behind 15,000 others and 450 namespaces', async () => {
  const others = Array.from({ length: 15_000 }, () => ({ type: 'function' }));
  let tools: object[] = [...others, { type: 'telepathy' }];
  for (let level = 0; level < 450; level++) tools = [{ type: 'namespace', name: 'n', tools }];
  const refusals: GatewayError[] = [];
  const ms = await coreMsOf(() => refusals.push(refusalOf({ input: [{ type: 'tool_search_output', tools }] })));
  const param = `input[0]${'.tools[0]'.repeat(450)}.tools[15000].type`;
  expect(refusals).toMatchObject([{ body: { code: 'unsupported_parameter', param } }]);
  expect(ms).toBeLessThan(300);
});

describe('an invalid request is a 400 that names the field', () => {
  it.each<[string, string, object]>([
    ['model', 'missing_required_parameter', { model: undefined }],
    ['model', 'invalid_value', { model: '' }],
    ['input', 'missing_required_parameter', { input: undefined }],
    ['input', 'invalid_type', { input: null }],
    ['input', 'invalid_type', { input: 7 }],
    ['input', 'invalid_value', { input: [] }],
    ['input[0]', 'invalid_type', { input: ['Hi'] }],
    ['input[1].type', 'missing_required_parameter', { input: [{ role: 'user', content: 'Hi' }, {}] }],
    ['input[0].type', 'invalid_value', { input: [{ type: '' }] }],
    ['input[0].content[0].type', 'invalid_value', parts({ type: 'text', text: 'Hi' })],
    ['input[0].type', 'invalid_type', { input: [{ type: 7 }] }],
    ['input[0].role', 'invalid_value', { input: [{ role: 'robot', content: 'Hi' }] }],
    ['input[0].role', 'missing_required_parameter', { input: [{ type: 'message', content: 'Hi' }] }],
    ['input[0].content', 'missing_required_parameter', { input: [{ role: 'user' }] }],
    ['input[0].content', 'invalid_value', parts()],
    ['input[0].content[0].type', 'missing_required_parameter', parts({})],
    ['input[0].content[0].type', 'invalid_value', parts({ type: 'output_text', text: 'Hi' })],
    ['input[0].content[0].text', 'missing_required_parameter', parts({ type: 'input_text' })],
    [
      'input[0].content[1].text',
      'invalid_type',
      parts({ type: 'input_text', text: 'a' }, { type: 'input_text', text: 1 }),
    ],
    ['input[0].content[0].image_url', 'missing_required_parameter', parts({ type: 'input_image' })],
    ['input[0].content[0].image_url', 'invalid_value', parts({ type: 'input_image', image_url: 'cat.png' })],
    [
      'input[0].content[0].detail',
      'invalid_value',
      parts({ type: 'input_image', image_url: 'https://a.b', detail: 'x' }),
    ],
    ['input[0].content[0].file_data', 'missing_required_parameter', parts({ type: 'input_file', filename: 'a' })],
    ['input[0].content[0].file_url', 'invalid_value', parts({ type: 'input_file', file_url: 'file:///etc/passwd' })],
    [
      'input[0].content[0].type',
      'invalid_value',
      { input: [{ role: 'assistant', content: [{ type: 'input_image' }] }] },
    ],
    [
      'input[0].call_id',
      'missing_required_parameter',
      { input: [{ type: 'function_call', name: 'f', arguments: '' }] },
    ],
    [
      'input[0].name',
      'missing_required_parameter',
      { input: [{ type: 'function_call', call_id: 'c', arguments: '' }] },
    ],
    [
      'input[0].arguments',
      'invalid_type',
      { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: {} }] },
    ],
    ['input[0].output', 'missing_required_parameter', result(undefined)],
    ['input[0].output', 'invalid_type', result({ ok: true })],
    ['input[0].output[0].type', 'invalid_value', result([{ type: 'output_text', text: 'x' }])],
    ['input[0].summary', 'invalid_type', { input: [{ type: 'reasoning', summary: 'short' }] }],
    ['instructions', 'invalid_type', { instructions: ['Be kind'] }],
    ['stream', 'invalid_type', { stream: 'yes' }],
    ['stream_options', 'invalid_type', { stream_options: true }],
    ['max_output_tokens', 'invalid_value', { max_output_tokens: 0 }],
    ['max_output_tokens', 'invalid_type', { max_output_tokens: 1.5 }],
    ['temperature', 'invalid_value', { temperature: 2.1 }],
    ['top_p', 'invalid_value', { top_p: -1 }],
    ['top_logprobs', 'invalid_value', { top_logprobs: 21 }],
    ['parallel_tool_calls', 'invalid_type', { parallel_tool_calls: 'no' }],
    ['tools', 'invalid_type', { tools: {} }],
    ['tools[0].type', 'missing_required_parameter', { tools: [{ name: 'f' }] }],
    ['tools[0].name', 'missing_required_parameter', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['tools[0].name', 'invalid_value', { tools: [{ type: 'function', name: 'two words' }] }],
    ['tools[0].parameters', 'invalid_type', { tools: [{ type: 'function', name: 'f', parameters: [] }] }],
    ['tools[0].strict', 'invalid_type', { tools: [{ type: 'function', name: 'f', strict: 1 }] }],
    ['tools[0].format.type', 'invalid_value', { tools: [{ type: 'custom', name: 'c', format: { type: 'xml' } }] }],
    [
      'tools[0].tools[0].name',
      'missing_required_parameter',
      { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] },
    ],
    ['tool_choice', 'invalid_value', { tool_choice: 'any' }],
    ['tool_choice.name', 'missing_required_parameter', { tool_choice: { type: 'function' } }],
    ['tool_choice.mode', 'invalid_value', { tool_choice: { type: 'allowed_tools', mode: 'none', tools: [] } }],
    ['text.format.type', 'invalid_value', { text: { format: { type: 'xml' } } }],
    ['text.format.name', 'missing_required_parameter', { text: { format: { type: 'json_schema', schema: {} } } }],
    ['text.format.schema', 'missing_required_parameter', { text: { format: { type: 'json_schema', name: 's' } } }],
    ['text.verbosity', 'invalid_value', { text: { verbosity: 'huge' } }],
    ['reasoning.summary', 'invalid_value', { reasoning: { summary: 'long' } }],
    ['reasoning.effort', 'invalid_type', { reasoning: { effort: 3 } }],
    ['include', 'invalid_type', { include: 'reasoning.encrypted_content' }],
    ['truncation', 'invalid_value', { truncation: 'middle' }],
    ['metadata', 'invalid_value', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['safety_identifier', 'invalid_value', { safety_identifier: 'x'.repeat(129) }],
    ['store', 'invalid_type', { store: 'no' }],
  ])('%s (%s): %j', (param, code, fields) => {
    const { status, body } = refusalOf(fields);
    expect({ status, param: body.param, code: body.code }).toEqual({ status: 400, param, code });
    expect(body.message).toContain(`'${param}'`);
  });

  it.each([null, [], 'text'])('a body that is not an object is refused: %j', (body) => {
    expect(() => responsesFormat.read(body, at)).toThrow('The request body must be a JSON object.');
  });
});

describe("a provider's tool outside of 'tools' is a 400", () => {
  const mcp = { type: 'mcp', server_label: 's', server_url: 'https://a.example' };
  const found = (...tools: object[]) => ({ input: [{ type: 'tool_search_output', execution: 'client', tools }] });
  const space = (...tools: object[]) => ({ type: 'namespace', name: 'n', description: 'd', tools });
  const f = { type: 'function', name: 'f' };

  it.each<[string, object]>([
    ['input[0].tools[1].type', { input: [{ type: 'additional_tools', tools: [f, mcp] }] }],
    ['input[0].tools[0].type', found(mcp)],
    ['input[0].tools[1].type', found(f, { type: 'file_search', vector_store_ids: ['vs_1'] })],
    ['input[0].tools[0].type', found({ type: 'web_search' })],
    ['input[0].tools[0].type', found({ type: 'telepathy' })],
    ['input[0].tools[0].tools[0].type', found(space(mcp))],
    ['input[0].tools[0].tools[0].tools[0].type', found(space(space(mcp)))],
    ['input[0].tools[0].type', { input: [{ type: 'of_next_year', tools: [mcp] }] }],
    [
      'input[0].tools[0].environment.container_id',
      found({ type: 'shell', environment: { type: 'local', container_id: 'c' } }),
    ],
    ['tools[0].tools[0].type', { tools: [space(mcp)] }],
    ['tools[0].tools[0].type', { tools: [{ type: 'telepathy', tools: [mcp] }] }],
  ])('%s', (param, fields) => {
    const { status, body } = refusalOf(fields);
    expect({ status, param: body.param, code: body.code }).toEqual({
      status: 400,
      param,
      code: 'unsupported_parameter',
    });
  });

  it("a provider's tool outside of 'tools' is a 400 but functions that a search found, and lists of what a server has, are accepted", () => {
    const item = {
      type: 'tool_search_output',
      execution: 'client',
      tools: [f, space(f), { type: 'custom', name: 'c' }],
    };
    const listed = { type: 'mcp_list_tools', server_label: 's', tools: [{ name: 'a', input_schema: {} }] };
    const input = [{ role: 'user', content: 'Hi' }, item, listed];
    expect(responsesFormat.read({ model: 'm', input }, at).native?.body.fields.input).toEqual(input);
  });
});

describe('a field that needs stored data is a 400 with the remedy', () => {
  it.each<[string, object, RegExp]>([
    ['previous_response_id', { previous_response_id: 'resp_1' }, /stores no responses.*whole conversation in 'input'/],
    ['conversation', { conversation: { id: 'conv_1' } }, /stores no conversations/],
    ['prompt', { prompt: { id: 'pmpt_1' } }, /'instructions' and 'input'/],
    ['background', { background: true }, /'stream' to true/],
    ['container', { container: 'cntr_1' }, /Leave it out/],
    ['mcp_servers', { mcp_servers: [{}] }, /'tools'/],
    [
      'input[1]',
      {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'item_reference', id: 'msg_1' },
        ],
      },
      /stored item/,
    ],
    ['input[0]', { input: [{ id: 'msg_1' }] }, /stored item/],
    ['tools[0].container', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, /provider's account/],
    [
      'tools[0].environment.container_id',
      { tools: [{ type: 'shell', environment: { container_id: 'c' } }] },
      /account/,
    ],
  ])('%s', (param, fields, remedy) => {
    const { status, body } = refusalOf(fields);
    expect({ status, param: body.param, code: body.code }).toEqual({
      status: 400,
      param,
      code: 'unsupported_parameter',
    });
    expect(body.message).toMatch(remedy);
  });

  it('unless the field is null', () => {
    const nothing = {
      previous_response_id: null,
      conversation: null,
      prompt: null,
      background: false,
      container: null,
    };
    expect(responsesFormat.read({ model: 'm', input: 'Hi', ...nothing }, at).native?.untranslatable).toBeNull();
  });
});

it('the checks leave the body unchanged', () => {
  const body = {
    model: 'm',
    input: [{ role: 'user', id: null, content: [{ type: 'input_image', image_url: 'https://a.b/c', file_id: null }] }],
    tools: [{ type: 'function', name: 'f', description: null, parameters: null, strict: null }],
    text: { format: null, verbosity: null },
    reasoning: { effort: null, summary: null },
  };
  const before = structuredClone(body);
  responsesFormat.read(body, at);
  expect(body).toEqual(before);
});
