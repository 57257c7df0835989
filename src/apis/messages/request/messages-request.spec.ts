import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../common/gateway.error.js';
import { messagesFormat } from '../messages.format.js';
import { toCountedRequest } from './messages-request.js';

const headers = { 'anthropic-version': '2023-06-01' };
const minimal = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };

function errorOf(body: unknown, sent: Record<string, string> = headers): GatewayError {
  try {
    messagesFormat.read(body, { headers: sent, path: '/v1/messages' });
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('The request was accepted.');
}

const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const assistant = (...content: unknown[]) => ({ messages: [{ role: 'assistant', content }] });
const image = (source: object) => user({ type: 'text', text: 'a' }, { type: 'image', source });
const tool = (fields: object) => ({ tools: [{ name: 'f', input_schema: { type: 'object' }, ...fields }] });

describe('an invalid request', () => {
  it.each<[string, object, string | null]>([
    ['missing_required_parameter', { max_tokens: undefined }, 'max_tokens'],
    ['missing_required_parameter', { model: undefined }, 'model'],
    ['missing_required_parameter', { messages: undefined }, 'messages'],
    ['invalid_value', { messages: [] }, 'messages'],
    ['invalid_value', { max_tokens: 0 }, 'max_tokens'],
    ['invalid_type', { max_tokens: '10' }, 'max_tokens'],
    ['invalid_type', { max_tokens: null }, 'max_tokens'],
    ['invalid_value', { temperature: 1.1 }, 'temperature'],
    ['invalid_value', { top_p: -1 }, 'top_p'],
    ['invalid_type', { top_k: 1.5 }, 'top_k'],
    ['invalid_type', { stream: 'yes' }, 'stream'],
    ['invalid_type', { stop_sequences: 'END' }, 'stop_sequences'],
    ['invalid_type', { stop_sequences: [1] }, 'stop_sequences[0]'],
    ['invalid_type', { system: 1 }, 'system'],
    ['invalid_type', { system: [{ type: 'text', text: 'a' }, 1] }, 'system[1]'],
    ['missing_required_parameter', { system: [{ type: 'text' }] }, 'system[0].text'],
    ['invalid_value', { messages: [{ role: 'tool', content: 'a' }] }, 'messages[0].role'],
    ['missing_required_parameter', { messages: [{ role: 'user' }] }, 'messages[0].content'],
    ['missing_required_parameter', user({ text: 'a' }), 'messages[0].content[0].type'],
    [
      'missing_required_parameter',
      image({ type: 'base64', media_type: 'image/png' }),
      'messages[0].content[1].source.data',
    ],
    [
      'invalid_value',
      image({ type: 'base64', media_type: 'image/png', data: '' }),
      'messages[0].content[1].source.data',
    ],
    [
      'invalid_value',
      image({ type: 'base64', media_type: 'image/png', data: 'data:image/png;base64,AA' }),
      'messages[0].content[1].source.data',
    ],
    [
      'invalid_value',
      image({ type: 'base64', media_type: 'image/bmp', data: 'AA' }),
      'messages[0].content[1].source.media_type',
    ],
    ['invalid_value', image({ type: 'url', url: 'file:///etc/passwd' }), 'messages[0].content[1].source.url'],
    ['invalid_value', image({ type: 'content' }), 'messages[0].content[1].source.type'],
    ['invalid_value', user({ type: 'tool_use', id: 'a', name: 'f', input: {} }), 'messages[0].content[0].type'],
    ['invalid_type', assistant({ type: 'tool_use', id: 'a', name: 'f', input: '{}' }), 'messages[0].content[0].input'],
    ['missing_required_parameter', user({ type: 'tool_result', content: 'a' }), 'messages[0].content[0].tool_use_id'],
    ['invalid_type', user({ type: 'tool_result', tool_use_id: 'a', is_error: 1 }), 'messages[0].content[0].is_error'],
    [
      'missing_required_parameter',
      user({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text' }] }),
      'messages[0].content[0].content[0].text',
    ],
    [
      'invalid_value',
      user({ type: 'text', text: 'a', cache_control: { type: 'x' } }),
      'messages[0].content[0].cache_control.type',
    ],
    [
      'invalid_value',
      user({ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '2h' } }),
      'messages[0].content[0].cache_control.ttl',
    ],
    ['invalid_value', tool({ name: 'my tool' }), 'tools[0].name'],
    ['missing_required_parameter', tool({ input_schema: undefined }), 'tools[0].input_schema'],
    ['invalid_type', tool({ strict: 'yes' }), 'tools[0].strict'],
    ['invalid_value', { tool_choice: { type: 'required' } }, 'tool_choice.type'],
    ['missing_required_parameter', { tool_choice: { type: 'tool' } }, 'tool_choice.name'],
    ['invalid_value', { thinking: { type: 'on' } }, 'thinking.type'],
    ['invalid_type', { thinking: { type: 'enabled', budget_tokens: '1' } }, 'thinking.budget_tokens'],
    ['invalid_value', { output_config: { effort: 'huge' } }, 'output_config.effort'],
    [
      'missing_required_parameter',
      { output_config: { format: { type: 'json_schema' } } },
      'output_config.format.schema',
    ],
    ['invalid_value', { output_format: { type: 'xml' } }, 'output_format.type'],
    ['invalid_type', { metadata: { user_id: 1 } }, 'metadata.user_id'],
    ['invalid_value', { service_tier: 'flex' }, 'service_tier'],
    ['invalid_value', { speed: 'slow' }, 'speed'],
  ])('is a 400 %s: %j', (code, fields, param) => {
    const { status, body } = errorOf({ ...minimal, ...fields });
    expect({ status, ...body }).toMatchObject({ status: 400, type: 'invalid_request_error', code, param });
    expect(body.message).toContain(`'${param}'`);
  });

  it.each([null, [], 'text'])('is a 400 for the body %j', (body) => {
    expect(errorOf(body).body).toMatchObject({ code: 'invalid_type', param: null });
  });

  it('is a 400 without the header anthropic-version', () => {
    const { status, body } = errorOf(minimal, {});
    expect({ status, ...body }).toMatchObject({ status: 400, param: 'anthropic-version' });
    expect(body.message).toContain('2026-10-21');
  });
});

describe('a request that would use the company’s account at a provider', () => {
  it.each<[object, string]>([
    [{ container: 'container_1' }, 'container'],
    [{ mcp_servers: [{ type: 'url', url: 'https://a.example', name: 'a' }] }, 'mcp_servers'],
    [{ tools: [{ type: 'mcp_toolset', mcp_server_name: 'a' }] }, 'tools[0].type'],
    [{ thread: { type: 'create' } }, 'thread'],
    [{ background: true }, 'background'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  ])('is a 400 that names the field: %j', (fields, param) => {
    const { status, body } = errorOf({ ...minimal, ...fields });
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
    expect(body.message).toContain(`'${param}'`);
  });

  const added = (definition: object) => ({
    type: 'tool_addition',
    tool: { type: 'tool_definition', definition },
  });
  const search = added({ type: 'web_search_20250305', name: 'web_search' });

  it.each<[string, string, object]>([
    ['a later system text', 'messages[0].content[0].tool.definition', { role: 'system', content: [search] }],
    ['a user message', 'messages[0].content[0].tool.definition', { role: 'user', content: [search] }],
    [
      'what a compaction keeps',
      'messages[0].content[0].tool_changes[0].tool.definition',
      { role: 'assistant', content: [{ type: 'compaction', content: 'a', tool_changes: [search] }] },
    ],
    [
      'a list of an unknown block',
      'messages[0].content[0].tools',
      { role: 'user', content: [{ type: 'a', tools: [{ name: 'f' }, { type: 'code_execution_20260521' }] }] },
    ],
  ])('is a 400 for tools of the provider in %s', (_where, param, message) => {
    const { status, body } = errorOf({ ...minimal, messages: [message, ...minimal.messages] });
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'unsupported_parameter', param });
  });

  it('does not include tools of the client in a conversation, and what the model wrote', () => {
    const own = [
      { role: 'user', content: [added({ name: 'f', input_schema: {} }), added({ type: 'bash_20250124' })] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { definition: { type: 'b' } } }] },
    ];
    const body = { ...minimal, messages: [...own, ...minimal.messages] };
    expect(messagesFormat.read(body, { headers, path: '/v1/messages' }).native?.body.fields).toEqual(body);
  });

  it('has error details for threads, so that tool runners continue without them', () => {
    expect(errorOf({ ...minimal, thread: { type: 'create' } }).details).toEqual({
      error_code: 'thread_unsupported_request',
      unsupported: ['thread'],
    });
  });

  it.each([{ container: null }, { mcp_servers: [] }, { thread: null }])(
    'is accepted if the field has no effect: %j',
    (fields) => {
      const { native } = messagesFormat.read({ ...minimal, ...fields }, { headers, path: '/v1/messages' });
      expect(native?.body.fields).toEqual(minimal);
    },
  );
});

it('a request to count tokens needs no max_tokens', () => {
  const { max_tokens: _, ...counted } = minimal;
  expect(toCountedRequest(counted)).toEqual(counted);
});
