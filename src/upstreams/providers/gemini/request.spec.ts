import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { GatewayError } from '../../../common/gateway.error.js';
import { type ModelTraits, UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ChatCompletionRequest, ChatMessage, ContentPart } from '../../contract/chat.types.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { endpointPath } from './endpoint.js';
import { geminiAdapter } from './gemini.adapter.js';
import { toRequestBody } from './request.js';

type Fields = Partial<ChatCompletionRequest>;

const hello: ChatMessage = { role: 'user', content: 'Hello' };

function bodyOf(fields: Fields, call: Partial<ProviderCall> = {}) {
  return toRequestBody({ ...providerCall({ messages: [hello], ...fields }), ...call });
}

function refusedField(fields: Fields, call: Partial<ProviderCall> = {}): unknown {
  try {
    return bodyOf(fields, call);
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return (error as GatewayError).body.param;
  }
}

function partsOf(...content: ContentPart[]): unknown {
  return (bodyOf({ messages: [{ role: 'user', content }] }).contents as { parts: unknown }[])[0]?.parts;
}

describe('the endpoint', () => {
  const path = (upstreamModel: string, settings: Record<string, string>, stream = false) =>
    endpointPath({ ...providerCall({ stream }), upstreamModel, settings });
  const vertex = { project: 'my-project', location: 'europe-west4' };

  it('is the Gemini API, with SSE for a stream', () => {
    expect(path('gemini-3.6-flash', {})).toBe('/v1beta/models/gemini-3.6-flash:generateContent');
    expect(path('gemini-3.6-flash', {}, true)).toBe('/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse');
    expect(path('tunedModels/my?one', { apiVersion: 'v1' })).toBe('/v1/tunedModels/my%3Fone:generateContent');
  });

  it('is Vertex AI if there is a project', () => {
    const place = '/v1/projects/my-project/locations/europe-west4';
    expect(path('gemini-3.6-flash', vertex)).toBe(`${place}/publishers/google/models/gemini-3.6-flash:generateContent`);
    expect(path('endpoints/77', vertex, true)).toBe(`${place}/endpoints/77:streamGenerateContent?alt=sse`);
  });
});

describe('the generation settings', () => {
  it('are left out if the caller sets none', () => {
    expect(bodyOf({ temperature: null, stop: null, n: 1, logprobs: false, response_format: { type: 'text' } })).toEqual(
      {
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      },
    );
  });

  it("have the API's names and formats", () => {
    const fields: Fields = {
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      frequency_penalty: 1,
      presence_penalty: -1,
      max_tokens: 10,
      max_completion_tokens: 20,
      stop: 'END',
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      user: 'u',
      store: true,
    };
    expect(bodyOf(fields).generationConfig).toEqual({
      temperature: 0,
      topP: 0.5,
      seed: 7,
      frequencyPenalty: 1,
      presencePenalty: -1,
      maxOutputTokens: 20,
      stopSequences: ['END'],
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 3,
    });
  });

  it('request JSON, with the schema if there is one', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } } };
    expect(bodyOf({ response_format: { type: 'json_object' } }).generationConfig).toEqual({
      responseMimeType: 'application/json',
    });
    const format: Fields['response_format'] = { type: 'json_schema', json_schema: { name: 'a', schema } };
    expect(bodyOf({ response_format: format }).generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  it.each<[string, string, object | undefined]>([
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 1024 }],
    ['gemini-2.5-flash', 'minimal', { thinkingBudget: 1024, includeThoughts: true }],
    ['gemini-2.5-pro', 'medium', { thinkingBudget: 8192, includeThoughts: true }],
    ['gemini-2.5-pro', 'xhigh', { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-3.6-flash', 'none', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3.1-pro-preview', 'none', { thinkingLevel: 'LOW' }],
    ['models/gemini-3-pro', 'none', { thinkingLevel: 'LOW' }],
    ['gemini-3.6-flash', 'minimal', { thinkingLevel: 'MINIMAL', includeThoughts: true }],
    ['gemini-3.1-pro-preview', 'minimal', { thinkingLevel: 'LOW', includeThoughts: true }],
    ['gemini-3.1-pro-preview', 'medium', { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    ['gemini-3.1-flash-lite', 'max', { thinkingLevel: 'HIGH', includeThoughts: true }],
  ])('the generation settings for %s with effort %s have its own form', (upstreamModel, effort, expected) => {
    expect(bodyOf({ reasoning_effort: effort }, { upstreamModel }).generationConfig).toEqual({
      thinkingConfig: expected,
    });
  });

  it.each<[string, string]>([
    ['none', 'LOW'],
    ['minimal', 'LOW'],
    ['low', 'LOW'],
    ['medium', 'MEDIUM'],
    ['high', 'HIGH'],
    ['xhigh', 'HIGH'],
    ['max', 'HIGH'],
  ])('the effort %s is the nearest of those that the model declares', (reasoning_effort, thinkingLevel) => {
    const traits = { ...UNKNOWN_TRAITS, efforts: ['low', 'medium', 'high'] satisfies ModelTraits['efforts'] };
    const { generationConfig } = bodyOf({ reasoning_effort }, { upstreamModel: 'gemini-3.8-flash', traits });
    expect(generationConfig).toMatchObject({ thinkingConfig: { thinkingLevel } });
  });

  it('zero penalties are left out', () => {
    expect(bodyOf({ frequency_penalty: 0, presence_penalty: 0 })).not.toHaveProperty('generationConfig');
  });

  it('allow at most eight choices', () => {
    expect(refusedField({ n: 9 })).toBe('n');
  });
});

describe('content', () => {
  it('is sent unchanged with its type', () => {
    const parts = partsOf(
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/PNG;base64,AAAA', detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' } },
      { type: 'file', file: { file_data: 'DDDD' } },
      { type: 'file', file: { filename: 'notes.MD', file_data: 'EEEE' } },
    );
    expect(parts).toEqual([
      { text: 'Look' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'audio/mpeg', data: 'BBBB' } },
      { inlineData: { mimeType: 'application/pdf', data: 'CCCC' } },
      { inlineData: { mimeType: 'application/pdf', data: 'DDDD' } },
      { inlineData: { mimeType: 'text/plain', data: 'EEEE' } },
    ]);
  });

  it('accepts null for absent fields', () => {
    const fields = JSON.parse(
      '{"tools": null, "tool_choice": null, "response_format": null, "web_search_options": null, "stop": null}',
    );
    expect(Object.keys(bodyOf(fields))).toEqual(['contents']);
    const part = JSON.parse('{"type": "file", "file": {"file_data": "AAAA", "file_id": null, "filename": null}}');
    expect(partsOf(part)).toEqual([{ inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }]);
    const empty = { ...part, file: { ...part.file, file_data: null } };
    expect(refusedField({ messages: [{ role: 'user', content: [empty] }] })).toBe(
      'messages[0].content[0].file.file_data',
    );
    const tool = JSON.parse('{"type": "function", "function": {"name": "f", "description": null, "parameters": null}}');
    expect(bodyOf({ tools: [tool] }).tools).toEqual([{ functionDeclarations: [{ name: 'f' }] }]);
  });

  it.each<[ContentPart, string]>([[{ type: 'file', file: { file_id: 'file-1' } }, 'file.file_id']])(
    'content that only its owner can fetch is refused: %j',
    (part, field) => {
      expect(refusedField({ messages: [hello, { role: 'user', content: [part] }] })).toBe(
        `messages[1].content[0].${field}`,
      );
    },
  );
});

describe('an image URL', () => {
  it.each([
    ['https://example.com/a.png', 'image/png'],
    ['https://example.com/A.WEBP?size=2#x', 'image/webp'],
    ['http://example.com/cat', 'image/jpeg'],
  ])('is passed to Google: %s', (url, mimeType) => {
    expect(partsOf({ type: 'image_url', image_url: { url } })).toEqual([{ fileData: { fileUri: url, mimeType } }]);
  });

  it.each([
    'https://www.youtube.com/watch?v=abc',
    'http://YouTube.com./watch?v=abc',
    ' https://m.youtube.com:443/shorts/abc',
    'https://www.youtube-nocookie.com/embed/abc',
    'https://youtu.be/abc.png',
    'youtu.be/abc',
    'https://a@youtube.com/watch',
  ])('is refused if Google reads a whole video from it: %s', (url) => {
    const image = { type: 'image_url' as const, image_url: { url } };
    const path = 'messages[0].content[0].image_url.url';
    expect(refusedField({ messages: [{ role: 'user', content: [image] }] })).toBe(path);
  });

  it('is refused in a tool result if it is a video', () => {
    const image = { type: 'image_url', image_url: { url: 'https://youtu.be/abc' } };
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [
      hello,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: [image] },
    ];
    expect(refusedField({ messages: messages as never })).toBe('messages[2].content[0].image_url.url');
  });

  it('is not a video by its path or by a similar name', () => {
    for (const url of ['https://a.example/youtube.com', 'https://notyoutube.com/a', 'https://youtube.com.example/a']) {
      expect(partsOf({ type: 'image_url', image_url: { url } })).toMatchObject([{ fileData: { fileUri: url } }]);
    }
  });
});

describe('tools', () => {
  const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: { type: 'object' } } });
  const fieldsFor = (tool_choice: ChatCompletionRequest['tool_choice'] | undefined) => {
    const { tools, toolConfig } = bodyOf({ tools: [tool('a'), tool('b')], ...(tool_choice && { tool_choice }) });
    const names = (tools as { functionDeclarations: { name: string }[] }[])[0]?.functionDeclarations.map(
      ({ name }) => name,
    );
    return [names, (toolConfig as { functionCallingConfig?: object } | undefined)?.functionCallingConfig];
  };
  const allowed = (mode: 'auto' | 'required') => ({
    type: 'allowed_tools' as const,
    allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'b' } }] },
  });

  it('are declared with their unchanged schema, or without one', () => {
    const bare = { type: 'function' as const, function: { name: 'now', description: 'The time', strict: true } };
    expect(bodyOf({ tools: [tool('a'), bare] }).tools).toEqual([
      {
        functionDeclarations: [
          { name: 'a', parametersJsonSchema: { type: 'object' } },
          { name: 'now', description: 'The time' },
        ],
      },
    ]);
  });

  it.each([
    [undefined, ['a', 'b'], undefined],
    ['auto' as const, ['a', 'b'], undefined],
    ['none' as const, ['a', 'b'], { mode: 'NONE' }],
    ['required' as const, ['a', 'b'], { mode: 'ANY' }],
    [{ type: 'function' as const, function: { name: 'b' } }, ['a', 'b'], { mode: 'ANY', allowedFunctionNames: ['b'] }],
    [allowed('required'), ['a', 'b'], { mode: 'ANY', allowedFunctionNames: ['b'] }],
    [allowed('auto'), ['b'], undefined],
  ])('are chosen by the caller: %j', (choice, names, config) => {
    expect(fieldsFor(choice)).toEqual([names, config]);
  });

  it('include web search if requested', () => {
    expect(bodyOf({ web_search_options: {}, tool_choice: 'none' })).toMatchObject({ tools: [{ googleSearch: {} }] });
  });
});

it('the tier deferred, which needs another API of Vertex AI, is left out and named', () => {
  const call = providerCall({ messages: [hello], service_tier: 'deferred' });
  for (const { headers, body, ignored } of [
    geminiAdapter.toRequest(call),
    geminiAdapter.toRequest({ ...call, settings: { project: 'p' } }),
  ]) {
    expect([headers, body.serviceTier, ignored]).toEqual([{}, undefined, ['service_tier']]);
  }
});

it('a service tier is a field on the Gemini API, and a header on Vertex AI', () => {
  const call = providerCall({ messages: [hello], service_tier: 'priority' });
  const adapter = geminiAdapter;
  expect(adapter.toRequest(call)).toMatchObject({ headers: {}, body: { serviceTier: 'priority' }, ignored: [] });
  const vertex = adapter.toRequest({ ...call, settings: { project: 'p' } });
  expect(vertex.headers).toEqual({ 'x-vertex-ai-llm-shared-request-type': 'priority' });
  expect(vertex.body).not.toHaveProperty('serviceTier');
  const scaled = adapter.toRequest(providerCall({ messages: [hello], service_tier: 'scale' }));
  expect([scaled.body.serviceTier, scaled.ignored]).toEqual([undefined, ['service_tier']]);
});
