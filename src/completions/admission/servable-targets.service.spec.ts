import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { unsupportedFeatureError, unsupportedFeatures } from './servable-targets.service.js';

const able = { capabilities: ['image_input', 'tools', 'reasoning'] };
const unable = { capabilities: [] };
const unknown = { capabilities: null };

const DATA_IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,eA==' } } as const;
const WEB_IMAGE = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } } as const;
const AUDIO = { type: 'input_audio', input_audio: { data: 'eA==', format: 'wav' } } as const;
const FILE = { type: 'file', file: { file_id: 'f' } } as const;
const TEXT = { type: 'text', text: 'x' } as const;
const TOOL = { type: 'function', function: { name: 'f' } } as const;

function request(fields: Partial<ChatCompletionRequest> = {}): ChatCompletionRequest {
  return { model: 'm', messages: [{ role: 'user', content: 'x' }], ...fields };
}

function requesting(...content: (typeof DATA_IMAGE | typeof WEB_IMAGE | typeof AUDIO | typeof FILE | typeof TEXT)[]) {
  return request({
    messages: [
      { role: 'system', content: 'x' },
      { role: 'user', content },
    ],
  });
}

describe('features that a model does not support', () => {
  it.each([
    ['image_input', 'messages[1].content[1]', requesting(TEXT, DATA_IMAGE, DATA_IMAGE)],
    ['tools', 'tools', request({ tools: [TOOL] })],
    ['tools', 'functions', request({ functions: [{ name: 'f' }] })],
    ['reasoning', 'reasoning_effort', request({ reasoning_effort: 'low' })],
  ])('include %s, found at %s', (feature, param, body) => {
    expect(unsupportedFeatures(body, unable, {})).toMatchObject([{ feature, param }]);
    expect(unsupportedFeatures(body, able, {})).toEqual([]);
    expect(unsupportedFeatures(body, unknown, {})).toEqual([]);
  });

  it.each([
    [request()],
    [request({ tools: [] })],
    [request({ reasoning_effort: null })],
    [request({ reasoning_effort: 'none' })],
    [requesting(TEXT)],
  ])('are not requested by %j', (body) => {
    expect(unsupportedFeatures(body, unable, {})).toEqual([]);
  });
});

describe('features that an adapter does not support', () => {
  it.each([
    ['json_object', 'response_format', request({ response_format: { type: 'json_object' } })],
    [
      'json_schema',
      'response_format',
      request({ response_format: { type: 'json_schema', json_schema: { name: 'n' } } }),
    ],
    ['multiple_choices', 'n', request({ n: 2 })],
    ['logprobs', 'logprobs', request({ logprobs: true, top_logprobs: 1 })],
    ['audio_output', 'modalities', request({ modalities: ['text', 'audio'], audio: { voice: 'v', format: 'mp3' } })],
    ['audio_output', 'audio', request({ audio: { voice: 'v', format: 'mp3' } })],
    ['audio_input', 'messages[1].content[0]', requesting(AUDIO)],
    ['file_input', 'messages[1].content[0]', requesting(FILE)],
    ['image_address', 'messages[1].content[1].image_url.url', requesting(DATA_IMAGE, WEB_IMAGE)],
    ['logit_bias', 'logit_bias', request({ logit_bias: { 42: 1 } })],
    ['web_search', 'web_search_options', request({ web_search_options: {} })],
    ['custom_tools', 'tool_choice', request({ tool_choice: { type: 'custom', custom: { name: 'c' } } })],
    ['custom_tools', 'tools[1]', request({ tools: [TOOL, { type: 'custom', custom: { name: 'c' } }] })],
  ])('include %s, found at %s', (feature, param, body) => {
    expect(unsupportedFeatures(body, able, { [feature]: false })).toMatchObject([{ feature, param }]);
    expect(unsupportedFeatures(body, able, { [feature]: true })).toEqual([]);
    expect(unsupportedFeatures(body, able, {})).toEqual([]);
  });

  it.each([
    [request({ tools: [TOOL], tool_choice: 'auto', functions: null, logit_bias: {}, web_search_options: null })],
    [request({ n: 1, logprobs: false, modalities: ['text'], audio: null, response_format: { type: 'text' } })],
    [requesting(DATA_IMAGE)],
  ])('are not requested by %j', (body) => {
    const none = { multiple_choices: false, logprobs: false, audio_output: false, json_object: false };
    const nor = { logit_bias: false, web_search: false, custom_tools: false };
    expect(unsupportedFeatures(body, able, { ...none, ...nor, json_schema: false, image_address: false })).toEqual([]);
  });
});

it('have the fields to remove, or none if they are part of a list', () => {
  const body = { ...requesting(DATA_IMAGE), tools: [TOOL], logprobs: true };
  expect(unsupportedFeatures(body, unable, { logprobs: false })).toEqual([
    { feature: 'tools', param: 'tools', removableFields: ['tools', 'tool_choice', 'parallel_tool_calls'] },
    { feature: 'logprobs', param: 'logprobs', removableFields: ['logprobs', 'top_logprobs'] },
    { feature: 'image_input', param: 'messages[1].content[0]', removableFields: [] },
  ]);
});

describe('the error for an unsupported feature', () => {
  const image = { feature: 'image_input', param: 'messages[0].content[1]', removableFields: [] } as const;

  it('is a 400 that names the field, the model and a remedy', () => {
    const error = unsupportedFeatureError('gpt-oss-20b', image);
    expect(error.status).toBe(400);
    expect(error.body).toEqual({
      message: "The model 'gpt-oss-20b' does not accept image input. Leave the image out or choose another model.",
      type: 'invalid_request_error',
      param: 'messages[0].content[1]',
      code: 'unsupported_value',
    });
  });

  it('shows at most 100 printable characters of the model id', () => {
    expect(unsupportedFeatureError('a\r\n\u0000\u202e\u{1f600}b', image).message).toContain("'a\u{1f600}b'");
    expect(unsupportedFeatureError('m'.repeat(300), image).message).toContain(`'${'m'.repeat(100)}'`);
  });
});
