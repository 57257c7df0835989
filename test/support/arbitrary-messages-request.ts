import fc from 'fast-check';
import { anyJson } from './arbitrary-request.js';

const text = fc.string({ maxLength: 20 });
const mark = fc.constantFrom(undefined, null, { type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' });
const id = fc.string({ minLength: 1, maxLength: 10 });

function block<Shape>(type: string, fields: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) {
  return fc.record({ type: fc.constant(type), ...fields });
}

const source = fc.oneof(
  fc.record({ type: fc.constant('base64'), media_type: fc.constantFrom('image/png', 'image/webp'), data: id }),
  fc.record({ type: fc.constant('url'), url: fc.constant('https://a.example/b.png') }),
  fc.record({ type: fc.constant('file'), file_id: id }),
);
const textBlock = block('text', { text, cache_control: mark });
const unknown = fc.record({
  type: fc.constantFrom('holograph', 'web_search_tool_result', 'server_tool_use'),
  x: anyJson,
});
const parts = fc.oneof(textBlock, block('image', { source, cache_control: mark }), unknown);
const result = block('tool_result', {
  tool_use_id: id,
  content: fc.oneof(fc.constant(undefined), text, fc.array(parts, { maxLength: 3 })),
  is_error: fc.constantFrom(undefined, null, true, false),
});
const document = block('document', {
  source: fc.oneof(
    fc.record({ type: fc.constant('base64'), media_type: fc.constant('application/pdf'), data: id }),
    fc.record({ type: fc.constant('text'), media_type: fc.constant('text/plain'), data: text }),
    fc.record({ type: fc.constant('content'), content: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })) }),
    fc.record({ type: fc.constant('url'), url: fc.constant('https://a.example/b.pdf') }),
  ),
  title: fc.option(text),
});
const assistantPart = fc.oneof(
  textBlock,
  block('tool_use', { id, name: id, input: fc.dictionary(id, anyJson, { maxKeys: 2 }) }),
  block('thinking', { thinking: text, signature: fc.constantFrom('', 's', 'gw1_', 'gw1_e30', 'gw1_!!') }),
  block('redacted_thinking', { data: fc.constantFrom('', 'x', 'gw1_e30') }),
  unknown,
);

const message = fc.oneof(
  fc.record({
    role: fc.constant('user'),
    content: fc.oneof(text, fc.array(fc.oneof(parts, result, document), { maxLength: 4 })),
  }),
  fc.record({ role: fc.constant('assistant'), content: fc.oneof(text, fc.array(assistantPart, { maxLength: 4 })) }),
  fc.record({ role: fc.constant('system'), content: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })) }),
);

const tool = fc.oneof(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,128}$/),
    input_schema: fc.constant({ type: 'object' }),
    cache_control: mark,
  }),
  fc.record({ type: fc.constantFrom('web_search_20250305', 'bash_20250124'), name: fc.constant('b') }),
);

/** Valid requests of Anthropic's Messages API. */
export const validMessagesRequest: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    model: id,
    max_tokens: fc.integer({ min: 1, max: 100_000 }),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    system: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })),
    stream: fc.boolean(),
    temperature: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    stop_sequences: fc.array(id, { maxLength: 3 }),
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.constantFrom({ type: 'auto' }, { type: 'tool', name: 'b' }, { type: 'none' }),
    thinking: fc.constantFrom({ type: 'adaptive' }, { type: 'enabled', budget_tokens: 5000 }, { type: 'disabled' }),
    cache_control: mark,
    unheard_of: anyJson,
  },
  { requiredKeys: ['model', 'max_tokens', 'messages'] },
);
