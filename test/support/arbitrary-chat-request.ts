import fc from 'fast-check';
import type { ChatCompletionRequest } from '../../src/upstreams/contract/chat.types.js';
import { arbitraryJsonSchema } from './arbitrary-json-schema.js';

const one = <Value>(...values: Value[]) => fc.constantFrom(...values);
const record = (needed: Fields, free: Fields = {}) =>
  fc.record({ ...needed, ...free }, { requiredKeys: Object.keys(needed) });
type Fields = Record<string, fc.Arbitrary<unknown>>;

const words = fc.oneof(one('', ' ', '\n', 'Hi', 'Hi ', '{"a":1}'), fc.string({ maxLength: 12 }));
const filled = fc.string({ minLength: 1, maxLength: 12 });
/** Fields of other APIs in a client's history. */
const foreign = { cache_control: one({ type: 'ephemeral' }) };

const textPart = record({ type: one('text'), text: words }, foreign);
const texts = fc.oneof(words, fc.array(textPart, { minLength: 1, maxLength: 3 }));
const imagePart = record({
  type: one('image_url'),
  image_url: record(
    { url: one('data:image/png;base64,AAAA', 'data:image/jpeg;base64,AAAA', 'https://example.com/a.png') },
    { detail: one('auto', 'low', 'high', 'original') },
  ),
});
const mediaPart = fc.oneof(
  record({
    type: one('input_audio'),
    input_audio: record({ data: one('UklGRg=='), format: one('wav', 'mp3') }),
  }),
  record({
    type: one('file'),
    file: one(
      { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      { file_data: 'JVBERi0=' },
      { filename: 'a.txt', file_data: 'SGk=' },
      { file_id: 'file-1' },
    ),
  }),
);
const userPart = fc.oneof(
  { arbitrary: textPart, weight: 4 },
  { arbitrary: imagePart, weight: 2 },
  { arbitrary: mediaPart, weight: 1 },
);

const calledName = fc.oneof(one('look', 'functions.look', 'ask me', 'x'.repeat(65), ''), filled);
const calledArguments = one('', '{}', '{"a":1}', '{"a', '[]', 'null', '{"id":9007199254740993}');
const toolCall = fc.oneof(
  {
    arbitrary: record({ type: one('function'), function: record({ name: calledName, arguments: calledArguments }) }),
    weight: 3,
  },
  { arbitrary: record({ type: one('custom'), custom: record({ name: calledName, input: words }) }), weight: 1 },
);

const toolRound = fc
  .record({
    content: fc.option(texts),
    calls: fc.array(fc.tuple(toolCall, texts), { minLength: 1, maxLength: 3 }),
    ids: one('call_', 'toolu.', 'x'.repeat(70)),
  })
  .map(({ content, calls, ids }) => [
    { role: 'assistant', content, tool_calls: calls.map(([call], index) => ({ ...call, id: `${ids}${index}` })) },
    ...calls.map(([, result], index) => ({ role: 'tool', tool_call_id: `${ids}${index}`, content: result })),
  ]);
const functionRound = fc.tuple(calledName, calledArguments, fc.option(words)).map(([name, text, result]) => [
  { role: 'assistant', content: null, function_call: { name, arguments: text } },
  { role: 'function', name, content: result },
]);
const assistantPart = fc.oneof(textPart, record({ type: one('refusal'), refusal: words }));
const statement = fc.oneof(
  record(
    { role: one('assistant'), content: fc.oneof(words, fc.array(assistantPart, { minLength: 1, maxLength: 2 })) },
    { refusal: one(null, 'No.'), name: filled, tool_calls: one([]), reasoning_content: words },
  ),
  one<object>(
    { role: 'assistant', content: null, refusal: 'No.' },
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    { role: 'assistant', reasoning_content: 'Hm.' },
  ),
);
const question = record(
  { role: one('user'), content: fc.oneof(words, fc.array(userPart, { minLength: 1, maxLength: 3 })) },
  { name: filled },
);
const instruction = record({ role: one('system', 'developer'), content: texts }, { name: filled });
const conversation = fc
  .array(
    fc.oneof(
      question.map((message) => [message]),
      instruction.map((message) => [message]),
      statement.map((message) => [message]),
      toolRound,
      functionRound,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((rounds) => rounds.flat());

const name = one('look', 'a-b_C', '9', 'x'.repeat(64));
const functionFields = record({ name }, { description: words, parameters: arbitraryJsonSchema });
const functionTool = record({
  type: one('function'),
  function: record({ name }, { description: words, parameters: arbitraryJsonSchema, strict: one(true, false, null) }),
});
const customTool = one({ type: 'custom', custom: { name: 'any name' } });
const uniqueTools = fc.uniqueArray(functionTool, {
  maxLength: 3,
  selector: (tool) => Object(tool).function.name,
});
const choice = one<unknown>(
  'none',
  'auto',
  'required',
  { type: 'function', function: { name: 'look' } },
  {
    type: 'allowed_tools',
    allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'look' } }] },
  },
);

/** Without sampling fields that an API refuses by name, after which the call would be repeated without them. */
const OPTIONS: Fields = {
  stream: one(true, false, null),
  stream_options: one({ include_usage: true, include_obfuscation: false }, null),
  temperature: one(0, 1, null),
  top_p: one(0, 0.5, 1),
  max_tokens: one(1, 16, 5000),
  max_completion_tokens: one(1, 16, 5000),
  stop: one<unknown>('END', [], ['END', 'STOP'], null),
  n: one(1, 2),
  seed: one(0, -7, 2 ** 40),
  logit_bias: one({}, { 50256: -100 }),
  logprobs: one(true, false),
  reasoning_effort: one('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  verbosity: one('low', 'medium'),
  modalities: one(['text'], ['text', 'audio']),
  prediction: fc.record({ type: one('content'), content: texts }),
  parallel_tool_calls: fc.boolean(),
  web_search_options: one({}, { search_context_size: 'low' }),
  user: filled,
  safety_identifier: filled,
  metadata: one({ team: 'a b' }, { 'a/b': 'ü' }, null),
  store: fc.boolean(),
  service_tier: one('auto', 'default', 'flex', 'scale', 'priority'),
  prompt_cache_key: filled,
  prompt_cache_retention: one('24h'),
};
const option = fc
  .constantFrom(...Object.keys(OPTIONS))
  .chain((field) => (OPTIONS[field] ?? fc.constant(null)).map((value) => [field, value] as const));

const responseFormat = fc.oneof(
  one({ type: 'text' }, { type: 'json_object' }),
  record({
    type: one('json_schema'),
    json_schema: record({ name }, { description: words, schema: arbitraryJsonSchema, strict: one(true, false, null) }),
  }),
);
const offered = fc.oneof(
  fc.constant({}),
  record({ tools: uniqueTools }, { tool_choice: choice }),
  record({ tools: fc.tuple(functionTool, customTool) }),
  record({ functions: fc.tuple(functionFields) }, { function_call: one<unknown>('none', 'auto', { name: 'look' }) }),
);

/** A valid request: any conversation with some of the options, so that none hides another. */
export const arbitraryChatRequest: fc.Arbitrary<Partial<ChatCompletionRequest>> = fc
  .tuple(conversation, offered, fc.option(responseFormat), fc.array(option, { maxLength: 3 }))
  .map(([messages, tools, format, options]) => ({
    messages: messages as ChatCompletionRequest['messages'],
    ...tools,
    ...(format && { response_format: format as never }),
    ...Object.fromEntries(options),
  }));
