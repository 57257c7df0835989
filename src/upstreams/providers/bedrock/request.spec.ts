import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../../test/support/core-time.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { GatewayError } from '../../../common/gateway.error.js';
import { type ModelTraits, UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ChatCompletionRequest, ChatMessage, ContentPart, ToolChoice } from '../../contract/chat.types.js';
import { bedrockAdapter } from './bedrock.adapter.js';

const NOVA = 'amazon.nova-lite-v1:0';
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const adapter = bedrockAdapter;
const messages: ChatMessage[] = [{ role: 'user', content: 'Hi' }];
const look = { type: 'function' as const, function: { name: 'look' } };
const listen = {
  type: 'function' as const,
  function: { name: 'listen', description: 'Hear.', parameters: { properties: { at: {} } }, strict: true },
};
const toolRound: ChatMessage[] = [
  { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '' } }] },
  { role: 'tool', tool_call_id: 'a', content: 'a cat' },
];

function ask(request: Partial<ChatCompletionRequest>, upstreamModel = NOVA, maxOutputTokens: number | null = null) {
  return adapter.toRequest({ ...providerCall({ messages, ...request }), upstreamModel, maxOutputTokens });
}

function body(request: Partial<ChatCompletionRequest>, model = NOVA, limit: number | null = null) {
  return ask(request, model, limit).body;
}

function refused(request: Partial<ChatCompletionRequest>, model = NOVA): [param: unknown, code: unknown] {
  try {
    ask(request, model);
  } catch (error) {
    if (error instanceof GatewayError) return [error.body.param, error.body.code];
    throw error;
  }
  return [null, null];
}

const withPart = (part: ContentPart) => ({ messages: [{ role: 'user' as const, content: [part] }] });
const withFile = (file: { filename?: string; file_data?: string; file_id?: string }) =>
  withPart({ type: 'file', file });
const withImage = (url: string) => withPart({ type: 'image_url', image_url: { url } });

describe('a request to Converse', () => {
  it('has the model in its path, encoded once, and the operation', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-lite-v1:0';
    expect(ask({})).toMatchObject({
      method: 'POST',
      path: '/model/amazon.nova-lite-v1%3A0/converse',
    });
    expect(ask({ stream: true }, arn).path).toBe(
      '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.amazon.nova-lite-v1%3A0/converse-stream',
    );
  });

  it('has no fields that the caller did not request', () => {
    expect(
      body({ temperature: null, tools: [], metadata: null, stop: null, frequency_penalty: 0, store: true }),
    ).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
    });
  });

  it("has limit and sampling fields with the API's names", () => {
    expect(body({ max_tokens: 5, temperature: 0, top_p: 0.5, stop: 'END' })).toMatchObject({
      inferenceConfig: { maxTokens: 5, temperature: 0, topP: 0.5, stopSequences: ['END'] },
    });
    expect(body({ max_tokens: 5, max_completion_tokens: 7, stop: ['a', 'b'] })).toMatchObject({
      inferenceConfig: { maxTokens: 7, stopSequences: ['a', 'b'] },
    });
    expect(body({ frequency_penalty: 0.5 }).additionalModelRequestFields).toEqual({ frequency_penalty: 0.5 });
  });

  it('sends a JSON schema as text', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'A', description: 'An a.', schema } };
    const format = (text: unknown) => ({
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { name: 'A', description: 'An a.', schema: JSON.stringify(text) } },
      },
    });
    expect(body({ response_format }, 'qwen.qwen3-32b-v1:0').outputConfig).toEqual(format(schema));
    const sonnet = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
    expect(body({ response_format }, sonnet).outputConfig).toEqual(format({ ...schema, additionalProperties: false }));
  });

  it('sends a schema as the answer tool to a model without structured outputs', () => {
    const schema = { properties: { a: { type: 'string' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'A', description: 'An a.', schema } };
    const json = { type: 'object', ...schema };
    const answer = { toolSpec: { name: 'json_answer', description: 'An a.', inputSchema: { json } } };
    for (const model of ['us.amazon.nova-lite-v1:0', 'anthropic.claude-3-7-sonnet-20250219-v1:0']) {
      const sent = body({ response_format, reasoning_effort: 'none', parallel_tool_calls: false }, model);
      expect(sent.toolConfig).toEqual({ tools: [answer], toolChoice: { tool: { name: 'json_answer' } } });
      expect(sent).not.toHaveProperty('outputConfig');
      expect(sent).not.toHaveProperty('additionalModelRequestFields');
    }
    expect(body({ response_format, tools: [look] }).toolConfig).toEqual({
      tools: [expect.objectContaining({ toolSpec: expect.objectContaining({ name: 'look' }) }), answer],
      toolChoice: { any: {} },
    });
    const named = { type: 'function' as const, function: { name: 'look' } };
    expect(body({ response_format, tools: [look], tool_choice: named }).toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: 'look' } }],
      toolChoice: { tool: { name: 'look' } },
    });
  });

  it('sends neither strict tools nor schemas to a model that declares that it refuses them', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'A', schema, strict: true } };
    const request = { messages, tools: [listen], response_format };
    const claude = { ...providerCall(request), upstreamModel: 'global.anthropic.claude-opus-5-5' };
    const trusted = adapter.toRequest(claude);
    expect(trusted.body).toMatchObject({ toolConfig: { tools: [{ toolSpec: { strict: true } }] }, outputConfig: {} });
    expect(trusted.ignored).toEqual([]);
    const refusing = adapter.toRequest({ ...claude, traits: { ...UNKNOWN_TRAITS, strictSchemas: false } });
    expect(refusing.body).not.toHaveProperty('outputConfig');
    expect(JSON.stringify(refusing.body)).not.toContain('"strict"');
    expect(refusing.body).toMatchObject({ toolConfig: { tools: [{}, { toolSpec: { name: 'json_answer' } }] } });
    expect(refusing.ignored).toEqual(['tools.function.strict', 'response_format.json_schema.strict']);
  });

  it('requests JSON without a schema with an instruction', () => {
    const words = [{ text: expect.stringContaining('one JSON object') }];
    expect(body({ response_format: { type: 'json_object' } }).system).toEqual(words);
    expect(body({ response_format: { type: 'json_schema', json_schema: { name: 'A' } } }).system).toEqual(words);
  });

  it('logs the metadata that the API accepts', () => {
    expect(body({ metadata: { team: 'a b', odd: 'ü', empty: '' } }).requestMetadata).toEqual({ team: 'a b' });
  });
});

describe('tools for Converse', () => {
  it('have an object schema, and a description if there is one', () => {
    expect(body({ tools: [look, listen] }).toolConfig).toEqual({
      tools: [
        { toolSpec: { name: 'look', inputSchema: { json: { type: 'object', properties: {} } } } },
        {
          toolSpec: {
            name: 'listen',
            description: 'Hear.',
            inputSchema: { json: { type: 'object', properties: { at: {} } } },
          },
        },
      ],
    });
    expect(body({ tools: [listen] }, CLAUDE).toolConfig).toMatchObject({ tools: [{ toolSpec: { strict: true } }] });
  });

  it.each<[ToolChoice, unknown]>([
    ['auto', undefined],
    ['required', { any: {} }],
    [{ type: 'function', function: { name: 'look' } }, { tool: { name: 'look' } }],
  ])('are chosen by %j', (tool_choice, toolChoice) => {
    expect((body({ tools: [look], tool_choice }).toolConfig as { toolChoice?: unknown }).toolChoice).toEqual(
      toolChoice,
    );
  });

  it('are limited to the tools that the choice allows', () => {
    const allowed_tools = { mode: 'required' as const, tools: [look] };
    expect(body({ tools: [look, listen], tool_choice: { type: 'allowed_tools', allowed_tools } }).toolConfig).toEqual({
      tools: [{ toolSpec: expect.objectContaining({ name: 'look' }) }],
      toolChoice: { any: {} },
    });
  });

  it('are left out for "none", unless there are earlier calls', () => {
    expect(body({ tools: [look], tool_choice: 'none' }).toolConfig).toBeUndefined();
    const history = [...messages, ...toolRound];
    expect(body({ tools: [look], tool_choice: 'none', messages: history }).toolConfig).toEqual({
      tools: [{ toolSpec: expect.objectContaining({ name: 'look' }) }],
    });
  });

  it('are taken from earlier calls if the request has none', () => {
    expect(body({ messages: [...messages, ...toolRound] }).toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object', properties: {} } } } }],
    });
  });

  it("are called one at a time with Claude's own field, which includes the choice", () => {
    const tool_choice = { type: 'function' as const, function: { name: 'look' } };
    const requested = body({ tools: [look], tool_choice, parallel_tool_calls: false }, CLAUDE);
    expect(requested.additionalModelRequestFields).toEqual({
      tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
    });
    expect(requested.toolConfig).toEqual({ tools: [expect.anything()] });
    expect(body({ tools: [look], parallel_tool_calls: false }).additionalModelRequestFields).toBeUndefined();
    expect(body({ parallel_tool_calls: false }, CLAUDE).additionalModelRequestFields).toBeUndefined();
  });
});

describe('images and files for Converse', () => {
  it('are sent as bytes with their format', () => {
    const requested = body(withImage('data:image/webp;base64,QUJD'));
    const image = { format: 'webp', source: { bytes: 'QUJD' } };
    expect(requested.messages).toEqual([{ role: 'user', content: [{ image }] }]);
  });

  it.each([['https://example.com/cat.png'], ['data:image/tiff;base64,QUJD']])('refuse %s', (url) => {
    expect(refused(withImage(url))).toEqual(['messages[0].content[0].image_url.url', 'unsupported_value']);
  });

  it.each([
    [{ filename: 'my_report (v1).pdf', file_data: 'data:application/pdf;base64,QUJD' }, 'pdf', 'my report (v1)'],
    [{ filename: 'Zahlen.CSV', file_data: 'QUJD' }, 'csv', 'Zahlen'],
    [{ file_data: 'data:text/plain;charset=utf-8;base64,QUJD' }, 'txt', 'document'],
    [{ filename: '日本.docx', file_data: 'data:application/octet-stream;base64,QUJD' }, 'docx', 'document'],
    [{ file_data: 'JVBERi0xLjMK' }, 'pdf', 'document'],
  ])('accept %j together with text', (file, format, name) => {
    const bytes = (file.file_data ?? '').replace(/^.*,/, '');
    expect(body(withFile(file)).messages).toEqual([
      { role: 'user', content: [{ document: { format, name, source: { bytes } } }, { text: name }] },
    ]);
  });

  it('have unique names', () => {
    const part: ContentPart = { type: 'file', file: { filename: 'a.pdf', file_data: 'QUJD' } };
    const content: ContentPart[] = [part, part, { type: 'text', text: 'Compare.' }];
    expect(JSON.stringify(body({ messages: [{ role: 'user', content }] }))).toMatch(/"name":"a".*"name":"a 2"/);
  });

  it('have unique names at once, also if 10,000 have the same', async () => {
    const named = (filename: string): ContentPart => ({ type: 'file', file: { filename, file_data: 'QUJD' } });
    const content = [named('a 3.pdf'), ...Array.from({ length: 10_000 }, () => named('a.pdf'))];
    let sent = '';
    const ms = await coreMsOf(() => {
      sent = JSON.stringify(body({ messages: [{ role: 'user', content }] }));
    });
    expect(new Set(sent.match(/"name":"a[ \d]*"/g)).size).toBe(10_001);
    expect(ms).toBeLessThan(1000);
  });

  it('are refused by id, and for unsupported types', () => {
    expect(refused(withFile({ filename: 'a.zip', file_data: 'QUJD' }))).toEqual([
      'messages[0].content[0].file.file_data',
      'unsupported_value',
    ]);
    expect(refused(withFile({ file_id: 'file-1' }))).toEqual(['messages[0].content[0].file', 'unsupported_value']);
  });
});

describe('a reasoning effort for Converse', () => {
  const fields = (reasoning_effort: string, model: string, rest: Partial<ChatCompletionRequest> = {}) =>
    body({ reasoning_effort, ...rest }, model).additionalModelRequestFields;

  it.each([
    ['us.amazon.nova-2-lite-v1:0', 'minimal', { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }],
    ['us.amazon.nova-2-lite-v1:0', 'none', { reasoningConfig: { type: 'disabled' } }],
    ['openai.gpt-oss-120b-1:0', 'xhigh', { reasoning_effort: 'high' }],
    ['openai.gpt-oss-120b-1:0', 'none', { reasoning_effort: 'low' }],
    ['deepseek.v3-v1:0', 'medium', { reasoning_config: 'medium' }],
    ['us.anthropic.claude-sonnet-4-6', 'high', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [
      'us.anthropic.claude-opus-4-7',
      'minimal',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    ['us.anthropic.claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
    [CLAUDE, 'low', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [CLAUDE, 'none', undefined],
    [NOVA, 'none', undefined],
  ])('a reasoning effort for Converse for %s: %s', (model, effort, expected) =>
    expect(fields(effort, model)).toEqual(expected),
  );

  it.each([
    [NOVA, 'low'],
    ['us.meta.llama4-maverick-17b-instruct-v1:0', 'low'],
  ])('is refused for %s: %s', (model, reasoning_effort) => {
    expect(refused({ reasoning_effort }, model)).toEqual(['reasoning_effort', 'unsupported_value']);
  });

  describe('of Nova', () => {
    const traits = { ...UNKNOWN_TRAITS, efforts: ['none', 'low', 'medium', 'high'] satisfies ModelTraits['efforts'] };
    const sent = (request: Partial<ChatCompletionRequest>) =>
      adapter.toRequest({ ...providerCall({ messages, ...request }), upstreamModel: NOVA, traits });
    const withEffort = (maxReasoningEffort: string) => ({ reasoningConfig: { type: 'enabled', maxReasoningEffort } });

    it.each([
      ['none', { reasoningConfig: { type: 'disabled' } }],
      ['minimal', withEffort('low')],
      ['medium', withEffort('medium')],
      ['max', withEffort('high')],
    ])('%s is the nearest that the model declares, whatever its name', (reasoning_effort, expected) => {
      expect(sent({ reasoning_effort }).body.additionalModelRequestFields).toEqual(expected);
    });

    it('high excludes sampling, which is left out and named', () => {
      const { body: made, ignored } = sent({ reasoning_effort: 'xhigh', temperature: 0.2, top_p: 0.9, stop: 'x' });
      expect(made.inferenceConfig).toEqual({ stopSequences: ['x'] });
      expect(made.additionalModelRequestFields).toEqual(withEffort('high'));
      expect(ignored).toEqual(['temperature', 'top_p']);
    });

    it('high becomes medium and is named beside an output limit, which stays', () => {
      const { body: made, ignored } = sent({ reasoning_effort: 'high', temperature: 0.2, max_tokens: 500 });
      expect(made.inferenceConfig).toEqual({ maxTokens: 500, temperature: 0.2 });
      expect(made.additionalModelRequestFields).toEqual(withEffort('medium'));
      expect(ignored).toEqual(['reasoning_effort']);
    });

    it('others stay beside an output limit and sampling', () => {
      const { body: made, ignored } = sent({ reasoning_effort: 'medium', temperature: 0.2, max_tokens: 500 });
      expect(made.inferenceConfig).toEqual({ maxTokens: 500, temperature: 0.2 });
      expect(ignored).toEqual([]);
    });
  });

  it("fits its budget into Claude's output limit, and leaves room for the answer", () => {
    const low = { reasoning_effort: 'low' };
    expect(fields('low', CLAUDE, { max_tokens: 2000 })).toEqual({ thinking: { type: 'enabled', budget_tokens: 1999 } });
    expect(fields('low', CLAUDE, { max_tokens: 1024 })).toBeUndefined();
    expect(body(low, CLAUDE).inferenceConfig).toEqual({ maxTokens: 2048 + 8192 });
    expect(body(low, CLAUDE, 64_000).inferenceConfig).toEqual({ maxTokens: 64_000 });
  });

  it("sets no budget if Claude cannot think: with a forced tool, or without a tool loop's reasoning", () => {
    expect(fields('low', CLAUDE, { tools: [look], tool_choice: 'required' })).toBeUndefined();
    expect(fields('low', CLAUDE, { messages: [...messages, ...toolRound] })).toBeUndefined();
    const [calling] = toolRound;
    const reasoning_details = [{ type: 'reasoning.text', text: 'A cat?', signature: 'c2ln' }];
    const stored = [...messages, { ...calling, reasoning_details } as ChatMessage, ...toolRound.slice(1)];
    expect(fields('low', CLAUDE, { messages: stored })).toMatchObject({ thinking: { type: 'enabled' } });
  });
});
