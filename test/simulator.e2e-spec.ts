import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { TestGateway } from './support/test-gateway.js';

const Steps = z.object({
  steps: z.array(z.object({ explanation: z.string(), output: z.string() })),
  mood: z.enum(['good', 'bad']),
  count: z.number().int().min(1).max(9),
});

const model = 'gpt-6-luna';
const messages = [{ role: 'user' as const, content: 'Solve it.' }];
const response_format = zodResponseFormat(Steps, 'steps');

/** First steps with the helpers of OpenAI's SDK, which agent frameworks use, without a provider's key. */
describe('the simulator behind the SDK', () => {
  let gateway: TestGateway;
  let client: OpenAI;
  beforeAll(async () => {
    const settings = 'simulator: { tokensPerSecond: 10000 }';
    gateway = await TestGateway.start({ env: { SIMULATOR: 'on' }, config: { 'gateway.yaml': settings } });
    const user = await gateway.createUser({ plan: 'pro' });
    client = new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });

  it('works with `parse`', async () => {
    const { choices } = await client.chat.completions.parse({ model, messages, response_format });
    expect(Steps.safeParse(choices[0]?.message.parsed).success).toBe(true);
  });

  it('works with `stream`', async () => {
    const final = await client.chat.completions.stream({ model, messages, response_format }).finalChatCompletion();
    expect(Steps.safeParse(final.choices[0]?.message.parsed).success).toBe(true);
  });

  it('answers for every model of the shipped catalog, and for the former names that are aliases', async () => {
    const names = ['gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.4-nano', 'gemini-3.6-flash', 'deepseek-v4-flash'];
    for await (const { id } of client.models.list()) names.push(id);
    expect(names).toHaveLength(5 + 17);
    for (const name of names) {
      const answer = await client.chat.completions.create({ model: name, messages, reasoning_effort: 'low' });
      expect(answer).toMatchObject({ model: name, choices: [{ finish_reason: 'stop' }] });
      expect(answer.choices[0]?.message.content).toContain('simulated');
    }
  });

  const requested = { model, messages: [{ role: 'user' as const, content: 'Use get_weather for Rome.' }] };
  const tools = (seen: unknown[]) => [
    {
      type: 'function' as const,
      function: {
        name: 'get_weather',
        description: 'The weather in a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function: (input: object) => {
          seen.push(input);
          return 'Sunny.';
        },
      },
    },
  ];

  it('calls a tool once for `runTools`, and then answers with its result', async () => {
    const seen: unknown[] = [];
    const runner = client.chat.completions.runTools({ ...requested, tools: tools(seen) });
    expect(await runner.finalContent()).toContain('The tool said: "Sunny."');
    expect(seen).toEqual([{ city: 'simulated' }]);
  });

  it('does so in a stream', async () => {
    const seen: unknown[] = [];
    const runner = client.chat.completions.runTools({ ...requested, tools: tools(seen), stream: true });
    expect(await runner.finalContent()).toContain('The tool said: "Sunny."');
    expect(seen).toEqual([{ city: 'simulated' }]);
  });

  it('calls only the required tool', async () => {
    const seen: unknown[] = [];
    const tool_choice = { type: 'function' as const, function: { name: 'get_weather' } };
    const runner = client.chat.completions.runTools({ model, messages, tools: tools(seen), tool_choice });
    await runner.done();
    expect(seen).toHaveLength(1);
  });

  it('refuses a schema that it cannot satisfy with a 400 that names the field', async () => {
    const schema = { type: 'array', minItems: 1e9, items: { type: 'string' } };
    const impossible = { type: 'json_schema' as const, json_schema: { name: 'a', schema } };
    await expect(
      client.chat.completions.create({ model, messages, response_format: impossible }),
    ).rejects.toMatchObject({ status: 400, code: 'unsupported_value', param: 'response_format.json_schema.schema' });
  });
});
