import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../test/support/core-time.js';
import { GatewayError } from '../../common/gateway.error.js';
import { toChatRequest } from './chat-completion-request.js';

const minimal = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] };

function errorOf(body: unknown): GatewayError {
  try {
    toChatRequest(body);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
}

function refusalOf(body: unknown): { code: string | null; param: string | null } {
  const { code, param } = errorOf(body).body;
  return { code, param };
}

const functionTool = (parameters: object) => ({ type: 'function', function: { name: 'f', parameters } });
const jsonFormat = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'f', schema } });

describe('a valid request', () => {
  it('is returned unchanged, without copying its messages', () => {
    const body = { ...minimal, temperature: 0.2, max_tokens: 64, stop: ['END'], stream: true };
    const request = toChatRequest(body);
    expect(request).toEqual(body);
    expect(request.messages).toBe(body.messages);
  });

  it('gets no defaults for missing fields', () => {
    expect(Object.keys(toChatRequest(minimal))).toEqual(['model', 'messages']);
  });

  it.each([
    ['temperature', 0],
    ['temperature', 2],
    ['top_p', 0],
    ['top_p', 1],
    ['n', 1],
    ['n', 128],
    ['max_tokens', 1],
    ['frequency_penalty', -2],
    ['presence_penalty', 2],
    ['seed', -(2 ** 53 - 1)],
    ['stop', ''],
    ['stop', ['a', 'b', 'c', 'd']],
    ['logit_bias', { 50256: -100, 42: 100 }],
    ['metadata', Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`key${index}`, 'v'.repeat(512)]))],
    ['metadata', { ['😀'.repeat(64)]: '😀'.repeat(512) }],
    ['safety_identifier', 'x'.repeat(64)],
    ['top_logprobs', 0],
    ['audio', { voice: 'alloy', format: 'pcm16' }],
    ['audio', { voice: { id: 'voice_1' }, format: 'mp3' }],
    ['response_format', { type: 'json_schema', json_schema: { name: 'a-b_1', schema: {}, strict: null } }],
    ['web_search_options', { user_location: { type: 'approximate', approximate: { city: 'Bern' } } }],
    ['moderation', { model: 'm', policy: { input: { mode: 'block' }, output: null } }],
    ['prompt_cache_options', { ttl: '30m', mode: 'explicit' }],
    ['prompt_cache_options', { ttl: '12h' }],
    ['service_tier', 'ultrafast'],
  ])('may have %s %j', (field, value) => {
    expect(toChatRequest({ ...minimal, [field]: value })[field]).toBe(value);
  });
});

describe('an invalid request', () => {
  it.each([[null], [[]], ['{}']])('is refused as a whole if its body is %j', (body) => {
    expect(refusalOf(body)).toEqual({ code: 'invalid_type', param: null });
  });

  it.each(['seed', 'max_tokens'])('is refused for a %s beyond 2^53, whose digits the parser has lost', (field) => {
    const body = JSON.parse(`{"model":"m","messages":[],"logprobs":true,"${field}":9007199254740993}`);
    const refusal = { code: 'invalid_value', param: field };
    expect(refusalOf({ ...body, messages: minimal.messages })).toEqual(refusal);
    expect(refusalOf({ ...minimal, logprobs: true, [field]: -(2 ** 53) })).toEqual(refusal);
    expect(refusalOf({ ...minimal, logprobs: true, [field]: 1e300 })).toEqual(refusal);
  });

  it.each([
    ['tools[0].function.parameters', (schema: object) => ({ tools: [functionTool(schema)] })],
    ['functions[0].parameters', (schema: object) => ({ functions: [functionTool(schema).function] })],
    ['response_format.json_schema.schema', (schema: object) => ({ response_format: jsonFormat(schema) })],
  ])('is refused for such an integer anywhere in %s', (param, withSchema) => {
    const refusal = { code: 'invalid_value', param };
    for (const number of ['9007199254740993', '-9007199254740993', '1759288472991170631']) {
      const schema = JSON.parse(`{"type":"object","properties":{"id":{"anyOf":[{"enum":["a",${number}]}]}}}`);
      expect(refusalOf({ ...minimal, ...withSchema(schema) })).toEqual(refusal);
    }
    const exact = [2 ** 53 - 1, -(2 ** 53 - 1), 1e18, 0.1, 2 ** 63, -(2 ** 63), 2 ** 64, 1.7976931348623157e308];
    for (const maximum of exact) expect(toChatRequest({ ...minimal, ...withSchema({ maximum }) })).toBeTruthy();
  });

  it.each([
    ['temperature', '1'],
    ['stream', 'true'],
    ['n', '2'],
    ['seed', 1.5],
    ['max_completion_tokens', 10.5],
    ['stop', 7],
    ['logit_bias', []],
    ['logit_bias', { 1: 0.5 }],
    ['user', 12],
    ['tools', {}],
    ['response_format', 'json'],
    ['stream_options', true],
    ['messages', 'Hello'],
    ['messages', null],
  ])('has code invalid_type when %s is %j', (field, value) => {
    expect(refusalOf({ ...minimal, [field]: value })).toEqual({ code: 'invalid_type', param: field });
  });

  it.each([
    ['temperature', 2.01],
    ['temperature', -0.1],
    ['top_p', 1.01],
    ['n', 0],
    ['n', 129],
    ['max_tokens', 0],
    ['max_completion_tokens', -1],
    ['frequency_penalty', 2.5],
    ['presence_penalty', -2.5],
    ['stop', ['a', 'b', 'c', 'd', 'e']],
    ['logit_bias', { 1: 101 }],
    ['metadata', Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, '']))],
    ['metadata', { ['k'.repeat(65)]: 'v' }],
    ['metadata', { k: 'v'.repeat(513) }],
    ['safety_identifier', 'x'.repeat(65)],
    ['top_logprobs', 21],
    ['messages', []],
    ['model', ''],
    ['model', 'm'.repeat(257)],
  ])('has code invalid_value when %s is %j', (field, value) => {
    expect(refusalOf({ ...minimal, [field]: value })).toEqual({ code: 'invalid_value', param: field });
  });

  it.each([
    ['stop[1]', 'invalid_type', { stop: ['a', 1] }],
    ['modalities[0]', 'invalid_value', { modalities: ['video'] }],
    ['audio.voice', 'missing_required_parameter', { audio: { format: 'wav' } }],
    ['stream_options.include_usage', 'invalid_type', { stream: true, stream_options: { include_usage: 1 } }],
    ['response_format.type', 'missing_required_parameter', { response_format: {} }],
    ['response_format.type', 'invalid_value', { response_format: { type: 'constructor' } }],
    ['response_format.json_schema', 'missing_required_parameter', { response_format: { type: 'json_schema' } }],
    ['response_format.json_schema.name', 'invalid_value', named('two words')],
  ])('names %s with code %s', (param, code, fields) => {
    expect(refusalOf({ ...minimal, ...fields })).toEqual({ code, param });
  });

  it.each(['model', 'messages'])('has code missing_required_parameter when %s is absent', (field) => {
    const missing = { code: 'missing_required_parameter', param: field };
    expect(refusalOf({ ...minimal, [field]: undefined })).toEqual(missing);
  });

  it('may have top_logprobs only together with logprobs', () => {
    expect(refusalOf({ ...minimal, top_logprobs: 3, logprobs: false }).param).toBe('top_logprobs');
    expect(toChatRequest({ ...minimal, top_logprobs: 3, logprobs: true }).top_logprobs).toBe(3);
  });

  it('gets an error that names the field, the problem and the remedy', () => {
    expect(errorOf({ ...minimal, temperature: 'hot' }).message).toBe(
      "Invalid type for 'temperature': expected a number from 0 to 2, got a string.",
    );
    expect(errorOf({ ...minimal, verbosity: 'loud' }).message).toBe(
      "Invalid value for 'verbosity': expected one of 'low', 'medium', 'high'.",
    );
    expect(errorOf({ messages: minimal.messages }).message).toBe(
      "Missing required parameter 'model'. Please send a model id of 1 to 256 characters.",
    );
  });
});

describe('null', () => {
  it('is kept if the format allows it', () => {
    const body = { ...minimal, temperature: null, stop: null, n: null, stream: null, metadata: null, audio: null };
    expect(toChatRequest(body)).toEqual(body);
  });

  it('counts as "not set" elsewhere and is removed', () => {
    const body = { ...minimal, tools: null, tool_choice: null, response_format: null, user: null, functions: null };
    expect(toChatRequest({ ...body, parallel_tool_calls: null, function_call: null })).toEqual(minimal);
  });
});

describe('stream_options', () => {
  it('are forwarded for streaming requests', () => {
    const body = { ...minimal, stream: true, stream_options: { include_usage: true } };
    expect(toChatRequest(body)).toEqual(body);
  });

  it('are removed from other requests', () => {
    expect(toChatRequest({ ...minimal, stream_options: { include_usage: true } })).toEqual(minimal);
  });
});

describe('unknown fields', () => {
  it('are forwarded, whatever they contain', () => {
    const body = { ...minimal, top_k: 40, guided: { choice: [null, 'a'] }, toString: 1, hasOwnProperty: null };
    expect(toChatRequest(body)).toEqual(body);
  });

  it('are removed when they could redirect the call or carry a credential', () => {
    const body = { ...minimal, api_base: 'http://attacker', api_key: 'k', extra_headers: {}, mock_response: 'x' };
    expect(toChatRequest(body)).toEqual(minimal);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('named %s have no effect, at the top level or below', (key) => {
    const poison = `{"${key}":{"polluted":true,"type":"text"}`;
    const body = JSON.parse(
      `${poison},"model":"m","messages":[${poison},"role":"user","content":[${poison},"type":"text","text":"x"}]}]}`,
    );
    const request = toChatRequest(body);
    expect(Object.keys(request)).toEqual(['model', 'messages']);
    expect(Object.getPrototypeOf(request)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(['{}', 'null', '1', '{"name":null}'])('cannot disable the checks with "constructor": %s', (value) => {
    expect(refusalOf(JSON.parse(`{"constructor":${value},"model":1,"messages":[]}`)).param).toBe('model');
  });

  it('cannot supply a required field through "__proto__"', () => {
    const body = JSON.parse('{"__proto__":{"model":"m"},"messages":[{"role":"user","content":"x"}]}');
    expect(refusalOf(body)).toEqual({ code: 'missing_required_parameter', param: 'model' });
  });
});

describe('a large request', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}null${'}'.repeat(20_000)}`);

  it('may be nested to any depth', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: deep } }];
    expect(toChatRequest({ ...minimal, tools, anything: deep }).anything).toBe(deep);
    expect(refusalOf({ ...minimal, stop: deep }).param).toBe('stop');
  });

  it('is checked in linear time: 10 000 messages with 32 MB of images take well under a second', async () => {
    const url = `data:image/png;base64,${'A'.repeat(32_000_000)}`;
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
    const messages = Array.from({ length: 10_000 }, () => image);
    expect(await coreMsOf(() => toChatRequest({ ...minimal, messages }))).toBeLessThan(500);
  });
});

function named(name: string): object {
  return { response_format: { type: 'json_schema', json_schema: { name } } };
}
