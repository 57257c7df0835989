import { afterAll, describe, expect, it } from '@jest/globals';
import { lastValueFrom, tap, toArray } from 'rxjs';
import { answerOfCompletion, answerOfStream, brokenPromises } from '../../test/support/client-answer.js';
import { schemaFaults } from '../../test/support/openai-schema.js';
import { loadSettings } from '../config/settings.js';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from './contract/chat.types.js';
import { PROVIDERS } from './providers/providers.js';
import { type SimulatedCall, SimulatorService } from './simulator.service.js';
import { TokenCounter } from './tokens/token-counter.js';

const counter = new TokenCounter();
afterAll(() => counter.onApplicationShutdown());

function simulatorAt(tokensPerSecond = 100_000): SimulatorService {
  const settings = loadSettings({}, PROVIDERS);
  return new SimulatorService(counter, { ...settings, simulator: { ...settings.simulator, tokensPerSecond } });
}

function callOf(request: Partial<ChatCompletionRequest> = {}): SimulatedCall {
  return {
    id: 'chatcmpl-1',
    modelName: 'gpt-x',
    dimensions: null,
    native: null,
    request: { model: 'gpt-x', messages: [{ role: 'user', content: 'What is up, Doc?' }], ...request },
    startedAt: new Date(1_790_000_000_000),
  };
}

const envelope = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'gpt-x' };

async function completion(request: Partial<ChatCompletionRequest> = {}): Promise<ChatCompletion> {
  const answer = (await lastValueFrom(simulatorAt().answer(callOf(request)).answer)) as ChatCompletion;
  expect(schemaFaults('completion', answer)).toEqual([]);
  return answer;
}

async function chunks(request: Partial<ChatCompletionRequest> = {}, call = callOf({ ...request, stream: true })) {
  const all = await lastValueFrom(simulatorAt().answer(call).answer.pipe(toArray()));
  const answer = all as ChatCompletionChunk[];
  expect(answer.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(answer, envelope)).toEqual([]);
  return answer;
}

const textOf = async (request: Partial<ChatCompletionRequest>) =>
  (await completion(request)).choices[0]?.message.content;

describe('a simulated answer', () => {
  it('says that it is simulated, for which model, and what the user wrote', async () => {
    const answer = await completion();
    expect(answer).toMatchObject({ ...envelope, choices: [{ finish_reason: 'stop' }] });
    expect(answer.choices[0]?.message.content).toMatch(/simulated.*gpt-x.*What is up, Doc\?/);
  });

  it('is the same in a stream, token by token', async () => {
    const streamed = await chunks();
    expect(answerOfStream(streamed)).toEqual(answerOfCompletion(await completion()));
    expect(streamed.length).toBe(3 + (streamed.at(-1)?.usage?.completion_tokens ?? 0));
  });

  it('has usage that matches its text', async () => {
    const { usage, choices } = await completion();
    const text = choices[0]?.message.content ?? '';
    expect(usage?.completion_tokens).toBe(await counter.count(text));
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  it('respects max_tokens and stop', async () => {
    const cut = await completion({ max_tokens: 5 });
    expect(cut).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 5 } });
    const stopped = await completion({ stop: ['answer', 'never'] });
    expect(stopped.choices[0]).toMatchObject({
      message: { content: 'This is a simulated ' },
      finish_reason: 'stop',
    });
  });

  it('has as many choices as requested', async () => {
    const [one, two] = await Promise.all([completion(), completion({ n: 2 })]);
    expect(two.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(two.usage?.completion_tokens).toBe(2 * (one.usage?.completion_tokens ?? 0));
    expect(Object.keys(answerOfStream(await chunks({ n: 2 })).choices)).toEqual(['0', '1']);
  });

  it('is JSON if requested', async () => {
    const text = await textOf({ response_format: { type: 'json_object' } });
    expect(JSON.parse(text ?? '')).toEqual({ simulated: true, model: 'gpt-x', asked: 'What is up, Doc?' });
  });

  it('quotes the start of the last user message, and names content that is not text', async () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [
      { role: 'user' as const, content: 'before' },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'y'.repeat(500) }, image] },
      { role: 'assistant' as const, content: 'after' },
    ];
    expect(await textOf({ messages })).toMatch(/"y{200}…"$/);
    expect(await textOf({ messages: [{ role: 'user', content: [image] }] })).toContain('"[image_url]"');
    expect(await textOf({ messages: [{ role: 'system', content: 'a' }] })).toContain('""');
    expect(await textOf({ messages: [{ role: 'user', content: '<|endoftext|>' }] })).toContain('<|endoftext|>');
  });
});

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const clock = { type: 'function' as const, function: { name: 'clock' } };
const shell = { type: 'custom' as const, custom: { name: 'shell' } };
const user = (content: string) => ({ role: 'user' as const, content });

describe('a tool', () => {
  const called = async (request: Partial<ChatCompletionRequest>) => {
    const answer = await completion(request);
    expect(answerOfStream(await chunks(request))).toEqual(answerOfCompletion(answer));
    const [choice] = answer.choices;
    expect(choice?.finish_reason).toBe(choice?.message.tool_calls ? 'tool_calls' : 'stop');
    return choice?.message.tool_calls?.map((call) => (call.type === 'custom' ? call.custom : call.function));
  };
  const toWeather = { name: 'get_weather', arguments: '{"city":"simulated"}' };
  const tools = [weather, clock];

  it.each<[string, Partial<ChatCompletionRequest>, unknown]>([
    ['that is required', { tools, tool_choice: 'required' }, [toWeather]],
    [
      'that is chosen by name',
      { tools, tool_choice: { type: 'function', function: { name: 'clock' } } },
      [{ name: 'clock', arguments: '{}' }],
    ],
    [
      'among allowed tools',
      {
        tools,
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [clock] as never } },
      },
      [{ name: 'clock', arguments: '{}' }],
    ],
    ['that the user names', { tools, messages: [user('Please use get_weather for Rome.')] }, [toWeather]],
    ['that the user names with spaces', { tools, messages: [user('get weather, will you?')] }, [toWeather]],
    [
      'that the user names together with another',
      { tools, messages: [user('Ask the clock, and get_weather.')] },
      [toWeather, { name: 'clock', arguments: '{}' }],
    ],
    [
      'without others if parallel calls are disabled',
      { tools, parallel_tool_calls: false, messages: [user('Ask the clock, and get_weather.')] },
      [toWeather],
    ],
  ])('%s is called', async (_which, request, calls) => {
    expect(await called(request)).toEqual(calls);
  });

  it.each<[string, Partial<ChatCompletionRequest>]>([
    ['is not requested', { tools }],
    ['is part of another word', { tools, messages: [user('Turn it clockwise.')] }],
    ['must not be called', { tools, tool_choice: 'none', messages: [user('Use get_weather.')] }],
    [
      'has answered already',
      {
        tools,
        messages: [
          user('Use get_weather.'),
          { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: toWeather }] },
          { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
        ],
      },
    ],
  ])('a tool that %s is not called', async (_which, request) => {
    expect(await called(request)).toBeUndefined();
  });

  it('a tool with text input is called with text', async () => {
    const [choice] = (await completion({ tools: [shell], tool_choice: 'required' })).choices;
    expect(choice?.message.tool_calls).toMatchObject([
      { type: 'custom', custom: { name: 'shell', input: 'simulated' } },
    ]);
  });

  it('is not called again once its result is in the conversation', async () => {
    const messages = [user('Hi'), { role: 'tool' as const, tool_call_id: 'a', content: 'Sunny.' }];
    expect(await textOf({ tools, messages })).toMatch(/The tool said: "Sunny\."$/);
  });

  it('a tool in the legacy format is called in the legacy format', async () => {
    const request = { functions: [weather.function], function_call: { name: 'get_weather' } };
    const [choice] = (await completion(request)).choices;
    expect(choice).toMatchObject({ message: { function_call: toWeather }, finish_reason: 'function_call' });
    expect(answerOfStream(await chunks(request)).choices[0]?.functionCall).toEqual(toWeather);
  });
});

describe('further options of a simulated answer', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 3, maximum: 3 } }, required: ['n'] };
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'a', schema } };

  it('return JSON for a schema', async () => {
    expect(JSON.parse((await textOf({ response_format })) ?? '')).toEqual({ n: 3 });
    expect(answerOfStream(await chunks({ response_format })).choices[0]?.content).toBe('{"n":3}');
  });

  it('return log probabilities for each token, with as many alternatives as requested', async () => {
    const request = { logprobs: true, top_logprobs: 3 };
    const { logprobs, message } = (await completion(request)).choices[0] ?? {};
    const tokens = logprobs?.content as { token: string; logprob: number; bytes: number[]; top_logprobs: object[] }[];
    expect(tokens.map(({ token }) => token).join('')).toBe(message?.content);
    expect(Buffer.from(tokens.flatMap(({ bytes }) => bytes)).toString()).toBe(message?.content);
    for (const { logprob, top_logprobs } of tokens) expect([logprob < 0, top_logprobs.length]).toEqual([true, 3]);
    const streamed = (await chunks(request)).flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []);
    expect(streamed).toEqual(tokens);
  });
});

describe('the pace of a simulated stream', () => {
  it('is the configured pace', async () => {
    const call = callOf({ stream: true, max_tokens: 20 });
    const startedAt = performance.now();
    await lastValueFrom(simulatorAt(200).answer(call).answer.pipe(toArray()));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(100);
  });

  it('pauses with the flow, even if its own chunk pauses it', async () => {
    const { answer, flow } = simulatorAt().answer(callOf({ stream: true, max_tokens: 20 }));
    const rests: number[] = [];
    let seen = 0;
    const paused = tap(() => {
      if (++seen % 5 !== 0) return;
      const before = seen;
      flow.pause();
      setTimeout(() => {
        rests.push(seen - before);
        flow.resume();
      }, 20);
    });
    const all = await lastValueFrom(answer.pipe(paused, toArray()));
    expect(all).toHaveLength(20 + 3);
    expect(rests).toEqual([0, 0, 0, 0]);
  });

  it('ends on unsubscription', async () => {
    const call = callOf({ stream: true });
    let seen = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const subscription = simulatorAt(1000)
      .answer(call)
      .answer.subscribe(() => {
        if (++seen < 3) return;
        subscription.unsubscribe();
        resolve();
      });
    await promise;
    await new Promise((wait) => setTimeout(wait, 30));
    expect(seen).toBe(3);
  });
});
