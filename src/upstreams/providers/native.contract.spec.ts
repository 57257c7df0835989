import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { from } from 'rxjs';
import { deepFreeze } from '../../../test/support/deep-freeze.js';
import { type Exchange, readExchange } from '../../../test/support/exchanges.js';
import {
  callTo,
  chunksOf,
  type DeclaredApi,
  declaredApis,
  eventsIn,
  expectAnswerPassed,
  expectStreamPassed,
  upstreamBytes,
} from '../../../test/support/native-checks.js';
import type { ChatCompletionChunk } from '../contract/chat.types.js';
import type { NativeApiName, NativeBody } from '../contract/native.body.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { framed } from '../framing/framing.js';
import { PROVIDERS } from './providers.js';

/** Where the fixtures of each API are. */
const FOLDERS: Readonly<Record<NativeApiName, string>> = { responses: 'openai-responses', messages: 'anthropic' };
const ANSWERS = ['text', 'tools', 'parallel-tools', 'images', 'reasoning', 'agent-turn', 'json-schema'];
/** Errors whose body is read; the others only pass on their status. */
const ERRORS = ['error-400', 'error-429'];

function fixtures(api: NativeApiName, scenarios: readonly string[]): Exchange[] {
  const folder = join(import.meta.dirname, FOLDERS[api], 'fixtures');
  const index: Record<string, string[]> = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  return scenarios.flatMap((scenario) => (index[scenario] ?? []).map((file) => readExchange(folder, file)));
}

/** A request with unknown fields, in an unusual order. */
const BODIES: Readonly<Record<NativeApiName, Record<string, unknown>>> = {
  responses: {
    future_field: { z: 1, a: [true, null, 1.5] },
    stream: true,
    include: ['reasoning.encrypted_content'],
    tools: [
      { type: 'future_tool', x: 1 },
      { type: 'web_search', external_web_access: false },
    ],
    temperature: 0.5,
    input: [{ future: 'item' }, { role: 'user', content: [{ type: 'input_text', text: 'Hi', more: 1 }] }],
    model: 'public-model',
    top_p: 0.9,
    max_output_tokens: 500,
    store: true,
  },
  messages: {
    future_field: { z: 1, a: [true, null, 1.5] },
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'future_block' }, { type: 'text', text: 'Hi' }] },
      { role: 'system', content: 'In the midst.' },
    ],
    model: 'public-model',
    temperature: 0.5,
    top_p: 0.9,
    stop_sequences: ['END'],
    context_management: { edits: [] },
    max_tokens: 500,
  },
};
const SAMPLING = { temperature: 0.5, top_p: 0.9, stop: ['END'], max_completion_tokens: 500 };
const LIMIT: Readonly<Record<NativeApiName, string>> = { responses: 'max_output_tokens', messages: 'max_tokens' };

/** Their errors are read exactly like those of openai. */
const WITHOUT_OWN_ERRORS = ['openai-responses', 'ollama', 'vllm'];

/** The first upstream of each class: the others of a class differ in paths, withheld fields and errors only. */
function onePerImplementation(): DeclaredApi[] {
  const all = declaredApis();
  return all.filter((one) => one === all.find(({ native }) => native.constructor === one.native.constructor));
}

/** The first upstream of each API: Bedrock reads requests and whole answers with Anthropic's code. */
function onePerApi(): DeclaredApi[] {
  return onePerImplementation().filter(({ protocol }) => protocol !== 'bedrock');
}

function bodyOf(api: NativeApiName, changes: object = {}, headers: NativeBody['headers'] = {}): NativeBody {
  return deepFreeze({ api, fields: { ...BODIES[api], ...changes }, headers });
}

it('lists the native APIs of all protocols', () => {
  const declared = declaredApis().map(({ protocol, api }) => `${protocol} ${api}`);
  expect(declared.sort()).toEqual([
    'anthropic messages',
    'azure responses',
    'bedrock messages',
    'ollama responses',
    'openai responses',
    'openai-responses responses',
    'openrouter responses',
    'vllm responses',
    'xai responses',
  ]);
});

it('has three implementations', () => {
  const names = onePerImplementation().map(({ native }) => native.constructor.name);
  expect(names.sort()).toEqual(['NativeBedrockMessages', 'NativeMessages', 'NativeResponses']);
});

it.each([
  ['ollama', 'responses', 'm', {}],
  ['vllm', 'responses', 'm', {}],
  ['azure', 'responses', 'm', { apiVersion: '2024-10-21' }],
  ['bedrock', 'messages', 'us.amazon.nova-lite-v1:0', {}],
  ['bedrock', 'messages', 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc', {}],
  ['gemini', 'messages', 'claude', {}],
  ['openai', 'messages', 'm', {}],
] as const)('%s has no %s for the model %s with %j', (protocol, api, upstreamModel, settings) => {
  const adapter = PROVIDERS.find((one) => one.protocol === protocol);
  expect(adapter?.nativeApi?.(api, { upstreamModel, settings }) ?? null).toBeNull();
});

it.each([
  ['openai', 'responses', '/responses'],
  ['openai-responses', 'responses', '/responses'],
  ['azure', 'responses', '/openai/v1/responses'],
  ['xai', 'responses', '/responses'],
  ['ollama', 'responses', '/v1/responses'],
  ['anthropic', 'messages', '/v1/messages'],
  ['bedrock', 'messages', '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream'],
] as const)('%s has %s at %s', (protocol, api, path) => {
  const declared = declaredApis().find((one) => one.protocol === protocol && one.api === api);
  expect(declared?.native.toRequest(declared.call, bodyOf(api)).path).toBe(path);
});

describe.each(
  declaredApis()
    .filter(({ protocol }) => !WITHOUT_OWN_ERRORS.includes(protocol))
    .map((one) => [one.protocol, one.api, one] as const),
)('errors of %s, %s', (protocol, api, declared) => {
  const { native } = declared;

  for (const exchange of fixtures(api, ['error-mid-stream'])) {
    it(`the error in ${exchange.file} is thrown after the events before it`, async () => {
      const { chunks, error } = await failing(declared, exchange);
      expect(error).toBeInstanceOf(UpstreamError);
      expect(error).not.toMatchObject({ failure: { incomplete: true } });
      expect(chunks.length).toBeGreaterThan(0);
      expect(chunks.filter(({ nativeEvents }) => nativeEvents?.isLast)).toEqual([]);
    });
  }

  for (const exchange of fixtures(api, ERRORS)) {
    it(`${exchange.file} has the same status as in Chat Completions, and shows no secret`, () => {
      const { status, headers, body } = exchange;
      const adapter = PROVIDERS.find((one) => one.protocol === FOLDERS[api]);
      const [error, chat] = [native, adapter].map((one) => one?.toError(status, headers, body, callTo(protocol)));
      if (protocol !== 'bedrock') expect(error?.status).toBe(chat?.status);
      expect(error?.body.message).not.toMatch(/\bsk-|org[-_]|upstream-model/);
    });
  }
});

describe.each(onePerImplementation().map((one) => [one.protocol, one.api, one] as const))(
  '%s, %s, for all upstreams with the same implementation',
  (protocol, api, declared) => {
    const { native } = declared;

    it('sends the request unchanged, except for the model and `store`', () => {
      const { body } = native.toRequest(callTo(protocol, SAMPLING), bodyOf(api));
      const { model: _, stream: __, store: ___, ...others } = BODIES[api];
      expect(body).toMatchObject(others);
      const stored = Object.keys(body).filter((name) => name in others);
      expect(stored).toEqual(Object.keys(others));
      for (const name of stored) expect(body[name]).toBe(others[name]);
      expect(JSON.stringify(body)).not.toContain('public-model');
      if (api === 'responses') expect(body).toMatchObject({ store: false, model: 'upstream-model' });
    });

    const scenarios = protocol === 'bedrock' ? ['text', 'tools'] : ANSWERS;

    for (const exchange of fixtures(api, scenarios).filter((one) => one.stream !== null)) {
      it(`${exchange.file} is returned event by event`, () => expectStreamPassed(declared, exchange));
    }

    const stream = streamOf(api);
    it('a stream cut off after any of its events is incomplete', async () => {
      const events = eventsIn(stream.stream ?? '');
      for (let count = 0; count < events.length; count++) {
        const cut = events
          .slice(0, count)
          .map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`)
          .join('');
        const { chunks, error } = await failing(declared, { ...stream, stream: cut });
        expect(error).toMatchObject({ failure: { incomplete: true } });
        expect(chunks.filter(({ nativeEvents }) => nativeEvents?.isLast)).toEqual([]);
      }
    });

    it('an unknown event is passed on at its position', async () => {
      const unknown = '{"type":"future.event","model":"m","x":{"store":true}}';
      const events = eventsIn(stream.stream ?? '').flatMap((one, at) =>
        at === 3 ? [one, { event: 'future.event', data: unknown }] : [one],
      );
      const text = events.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('');
      const chunks = await chunksOf(declared, [upstreamBytes(native, { ...stream, stream: text })]);
      const reported = chunks.find(({ nativeEvents }) => nativeEvents?.text.includes('future.event'));
      expect(reported).toMatchObject({
        choices: [],
        nativeEvents: { text: `event: future.event\ndata: ${unknown}\n\n`, isLast: false },
      });
    });
  },
);

it.each(['vllm', 'ollama'])(
  '%s receives only known fields in its Responses API if the model has a price',
  (protocol) => {
    const { native } = declaredApis().find((one) => one.protocol === protocol) ?? {};
    const body = bodyOf('responses', {
      max_new_tokens: 9000,
      N: 4,
      unknown_field: 'x',
      top_k: 5,
      prompt_cache_key: 'k',
    });
    const sent = (isPaid: boolean) => native?.toRequest({ ...callTo(protocol, SAMPLING), isPaid }, body);
    expect(sent(false)?.body).toMatchObject({ max_new_tokens: 9000, N: 4, unknown_field: 'x' });
    const { body: priced, ignored } = sent(true) ?? {};
    for (const field of ignored ?? []) expect(priced).not.toHaveProperty(field);
    expect(priced).toMatchObject({ top_k: 5, prompt_cache_key: 'k', max_output_tokens: 500 });
    expect(ignored).toEqual(['future_field', 'max_new_tokens', 'N', 'unknown_field']);
  },
);

it('Bedrock reads whole answers with the code for Anthropic', () => {
  const [anthropic, bedrock] = ['anthropic', 'bedrock'].map((protocol) =>
    declaredApis().find((one) => one.protocol === protocol && one.api === 'messages'),
  );
  expect(bedrock?.native.fromResponse).toBeInstanceOf(Function);
  expect(bedrock?.native.fromResponse).toBe(anthropic?.native.fromResponse);
});

describe.each(onePerApi().map((one) => [one.protocol, one.api, one] as const))(
  '%s, %s, for all upstreams with the same API',
  (protocol, api, declared) => {
    const { native } = declared;
    const sent = (request: object, body = bodyOf(api)) =>
      native.toRequest(callTo(protocol, { ...SAMPLING, ...request }), body);

    it.each([
      ['lowers the output limit to the inner request’s', { max_completion_tokens: 200 }, {}, 200],
      ['keeps a lower output limit of the client', { max_completion_tokens: 2000 }, {}, 500],
      [
        'sets the inner request’s limit if the client sent none',
        { max_completion_tokens: 200 },
        { [LIMIT[api]]: undefined },
        200,
      ],
      ['replaces null with the inner request’s limit', { max_completion_tokens: 200 }, { [LIMIT[api]]: null }, 200],
      ['sends the limit of the client if there is no other', { max_completion_tokens: undefined }, {}, 500],
    ])('%s', (_what, request, changes, expected) => {
      expect(sent(request, bodyOf(api, changes)).body[LIMIT[api]]).toBe(expected);
    });

    it('leaves out sampling fields that the inner request lacks', () => {
      const { body } = sent({ temperature: undefined, top_p: undefined, stop: undefined });
      expect(Object.keys(body).filter((name) => /temperature|top_p|stop/.test(name))).toEqual([]);
      expect(sent({ top_p: undefined }).body).toMatchObject({ temperature: 0.5 });
      expect(sent({ temperature: undefined }, bodyOf(api, { temperature: null })).body.temperature).toBeNull();
    });

    const answers = fixtures(api, ANSWERS).filter((one) => one.stream === null);

    for (const exchange of answers) {
      it(`${exchange.file} is returned unchanged`, () => {
        expectAnswerPassed(declared, JSON.stringify(exchange.body), exchange);
      });
    }

    it('an answer with line ends and indentation is returned unchanged', () => {
      const [exchange] = answers as [Exchange];
      expectAnswerPassed(declared, JSON.stringify(exchange.body, null, 1), exchange);
    });

    it('a stream may have events without a name, unknown events, and events that are not JSON', async () => {
      const stream = streamOf(api);
      const events = eventsIn(stream.stream ?? '');
      const strewn = events.map(({ data }) => `: note\n\ndata: ${data}\n\nevent: note\ndata: not JSON\n\n`).join('');
      const unnamed = await chunksOf(declared, [Buffer.from(`${strewn}data: [DONE]\n\n`)]);
      expect(unnamed).toEqual(await chunksOf(declared, [upstreamBytes(native, stream)]));
    });

    it.each(['{', '[]', '"text"', '{"output":1}', '{"content":1}'])(
      'an answer %j is an error of the upstream',
      (text) => {
        expect(() => native.fromResponse(text, declared.call)).toThrow(UpstreamError);
      },
    );
  },
);

function streamOf(api: NativeApiName): Exchange {
  return fixtures(api, ['text']).find((one) => one.stream !== null) as Exchange;
}

function failing(
  { native, call }: DeclaredApi,
  exchange: Pick<Exchange, 'stream' | 'encoding'>,
): Promise<{ chunks: ChatCompletionChunk[]; error: unknown }> {
  const chunks: ChatCompletionChunk[] = [];
  return new Promise((resolve, reject) => {
    from([upstreamBytes(native, exchange)])
      .pipe(framed(native.framing), native.fromStream(call))
      .subscribe({
        next: (chunk) => chunks.push(chunk),
        error: (error) => resolve({ chunks, error }),
        complete: () => reject(new Error('no error')),
      });
  });
}
