import fc from 'fast-check';

/** Part of every generated word, so that errors that repeat one are found. */
export const MARK = 'zq7';
const word = fc.string({ maxLength: 12 }).map((text) => `${MARK}${text}`);
export const anyJson = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constant(MARK) });

/** An object with these fields; the second group is optional, and unknown fields may be added. */
const object = (needed: Fields, free: Fields = {}) =>
  fc
    .tuple(
      fc.record({ ...needed, ...free }, { requiredKeys: Object.keys(needed) }),
      fc.dictionary(word, anyJson, { maxKeys: 1 }),
    )
    .map(([known, unknown]) => ({ ...unknown, ...known }));
type Fields = Record<string, fc.Arbitrary<unknown>>;

const one = (...values: unknown[]) => fc.constantFrom(...values);
const orNull = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: null });
const some = (item: fc.Arbitrary<unknown>, maxLength = 3) => fc.array(item, { minLength: 1, maxLength });
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const identifier = fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/);
const base64 = fc.base64String({ minLength: 4, maxLength: 40 });
/** Without integers that a double may have rounded. */
const exactJson = anyJson.filter((value) => !/\d{16}/.test(JSON.stringify(value)));
const schema = fc.dictionary(word, exactJson, { maxKeys: 3 });

const textPart = object({ type: one('text'), text: word });
const texts = fc.oneof(word, some(textPart));
const userPart = fc.oneof(
  textPart,
  object({
    type: one('image_url'),
    image_url: object(
      {
        url: fc.oneof(
          base64.map((data) => `data:image/png;base64,${data}`),
          fc.webUrl(),
        ),
      },
      { detail: one('auto', 'low', 'high') },
    ),
  }),
  object({ type: one('input_audio'), input_audio: object({ data: base64, format: one('wav', 'mp3') }) }),
  object({ type: one('file'), file: object({}, { filename: word, file_data: base64, file_id: word }) }),
);
const toolCall = fc.oneof(
  object({ id: word, type: one('function'), function: object({ name: word, arguments: word }) }),
  object({ id: word, type: one('custom'), custom: object({ name: word, input: word }) }),
);
const assistantOptions = { refusal: orNull(word), name: word, audio: orNull(object({ id: word })) };
const message = fc.oneof(
  object({ role: one('system', 'developer'), content: texts }, { name: word }),
  object({ role: one('user'), content: fc.oneof(word, some(userPart)) }, { name: word }),
  object({ role: one('assistant'), content: texts }, { ...assistantOptions, tool_calls: fc.array(toolCall) }),
  object({ role: one('assistant'), tool_calls: some(toolCall) }, { ...assistantOptions, content: orNull(texts) }),
  object({ role: one('tool'), content: texts, tool_call_id: word }),
  object({ role: one('function'), content: orNull(word), name: word }),
);
const functionFields = { description: word, parameters: schema };
const tool = fc.oneof(
  object({
    type: one('function'),
    function: object({ name: identifier }, { ...functionFields, strict: orNull(fc.boolean()) }),
  }),
  object({ type: one('custom'), custom: object({ name: word }, { description: word }) }),
);

/** A valid request with any fields. */
export const validRequest = object(
  { model: word, messages: some(message, 4) },
  {
    stream: orNull(fc.boolean()),
    stream_options: orNull(object({}, { include_usage: fc.boolean(), include_obfuscation: fc.boolean() })),
    temperature: orNull(between(0, 2)),
    top_p: orNull(between(0, 1)),
    max_tokens: orNull(fc.integer({ min: 1 })),
    max_completion_tokens: orNull(fc.maxSafeNat().map((count) => count || 1)),
    stop: orNull(fc.oneof(word, some(word, 4))),
    n: orNull(fc.integer({ min: 1, max: 128 })),
    seed: orNull(fc.maxSafeInteger()),
    frequency_penalty: orNull(between(-2, 2)),
    presence_penalty: orNull(between(-2, 2)),
    logit_bias: orNull(fc.dictionary(word, fc.integer({ min: -100, max: 100 }))),
    logprobs: one(true),
    metadata: orNull(fc.dictionary(word, word, { maxKeys: 16 })),
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.oneof(
      one('none', 'auto', 'required'),
      object({ type: one('function'), function: object({ name: word }) }),
      object({ type: one('allowed_tools'), allowed_tools: object({ mode: one('auto'), tools: fc.array(schema) }) }),
    ),
    parallel_tool_calls: fc.boolean(),
    functions: some(object({ name: identifier }, functionFields)),
    function_call: fc.oneof(one('none', 'auto'), object({ name: word })),
    response_format: fc.oneof(
      object({ type: one('text', 'json_object') }),
      object({ type: one('json_schema'), json_schema: object({ name: identifier }, { description: word, schema }) }),
    ),
    reasoning_effort: one('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', null),
    verbosity: one('low', 'medium', 'high', null),
    modalities: orNull(fc.array(one('text', 'audio'))),
    audio: orNull(object({ voice: fc.oneof(word, object({ id: word })), format: one('wav', 'aac', 'opus') })),
    prediction: orNull(object({ type: one('content'), content: texts })),
    service_tier: one('auto', 'default', 'flex', 'scale', 'priority', 'fast', null),
    store: orNull(fc.boolean()),
    user: word,
    safety_identifier: orNull(word),
    prompt_cache_key: orNull(word),
    prompt_cache_retention: one('in_memory', '24h', null),
  },
);

/** Valid requests with one value, at any depth, replaced by any JSON. */
export function spoiled(request: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(request, fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }), anyJson)
    .map(([body, steps, value]) => {
      let holder = body as Record<string, unknown>;
      for (const [depth, step] of steps.entries()) {
        const names = Object.keys(holder);
        const name = names[step % names.length];
        if (name === undefined) break;
        const next = holder[name];
        if (depth === steps.length - 1 || typeof next !== 'object' || next === null) {
          holder[name] = value;
          break;
        }
        holder = next as Record<string, unknown>;
      }
      return body;
    });
}
