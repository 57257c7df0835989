import { beforeEach, describe, expect, it } from '@jest/globals';
import { AGENT_LOOPS } from './support/agent-loops.js';
import { answerTo, type Input, QUIRK_APIS, type QuirkApi, WISHES } from './support/quirk-requests.js';
import { StrictUpstream } from './support/strict/strict-upstream.js';
import { toolLoop } from './support/strict/turn.js';
import { TestGateway } from './support/test-gateway.js';

/** Upstreams of the shipped files, and the end of the addresses that their own SDKs take. */
const UPSTREAMS: Readonly<Record<string, string>> = {
  openai: '/v1',
  anthropic: '',
  gemini: '',
  bedrock: '',
  mistral: '',
  deepseek: '',
  xai: '/v1',
  groq: '',
  cohere: '',
};

interface QuirkyModel {
  /** The id in the shipped catalog. */
  readonly id: string;
  /** Wishes for which the model has no capability, so that the gateway itself refuses them. */
  readonly lacks?: readonly (keyof Input)[];
  /** Wishes that Anthropic itself refuses in the client's own words, which the gateway passes on unchanged. */
  readonly refusesNatively?: (input: Input) => boolean;
  /** Not all that it refuses is documented: the upstream here refuses the most, and the gateway learns it. */
  readonly isLearned?: boolean;
}

const MODELS: readonly QuirkyModel[] = [
  { id: 'gpt-6.1-sol' },
  { id: 'gpt-6.1-terra' },
  { id: 'gpt-6-luna' },
  { id: 'claude-opus-5.5', refusesNatively: ({ effort, forced }) => Boolean(forced) || isThinkingSet(effort) },
  { id: 'claude-sonnet-5.5', refusesNatively: ({ effort, forced }) => Boolean(forced) || isThinkingSet(effort) },
  {
    id: 'claude-haiku-5.5',
    refusesNatively: ({ effort, forced }) => Boolean(forced) || isThinkingSet(effort),
    isLearned: true,
  },
  { id: 'gemini-3.1-pro' },
  { id: 'gemini-3.8-flash' },
  { id: 'gemini-3.5-flash-lite' },
  { id: 'mistral-medium-3.5' },
  { id: 'mistral-small-4' },
  { id: 'deepseek-v4.1-flash', lacks: ['hasSchema'] },
  { id: 'grok-4.7' },
  { id: 'gpt-oss-20b', lacks: ['hasPicture'] },
  { id: 'gpt-oss-120b', lacks: ['hasPicture'] },
  { id: 'command-a-plus' },
  { id: 'nova-2-lite', lacks: ['hasSchema'] },
];

/** The two lowest efforts: Messages' words for them are disabled thinking and a budget. */
function isThinkingSet(effort: Input['effort']): boolean {
  return effort === 'none' || effort === 'minimal';
}

const weather = (city: string) => ({ name: 'weather', input: { city } });

const upstream = await StrictUpstream.start(
  toolLoop([weather('Paris'), [weather('Rome'), weather('Ostia')]], 'Sunny.'),
);
const addresses = Object.entries(UPSTREAMS).flatMap(([name, end]) => [
  [`${name.toUpperCase()}_BASE_URL`, upstream.url(name) + end],
  [name === 'bedrock' ? 'AWS_BEARER_TOKEN_BEDROCK' : `${name.toUpperCase()}_API_KEY`, 'key'],
]);
const gateway = await TestGateway.start({
  env: Object.fromEntries(addresses),
  config: { 'gateway.yaml': 'retry: { attempts: 1 }' },
});
const user = await gateway.createUser({ plan: 'pro' });
beforeEach(() => {
  upstream.refusals.length = 0;
});

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly ignored: readonly string[];
}

async function ask({ path, headers }: QuirkApi, body: object): Promise<Answered> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...user.headers, ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const ignored = response.headers.get('x-gateway-ignored-parameters')?.split(', ') ?? [];
  return { status: response.status, text: await response.text(), ignored };
}

it('every model of the shipped catalog is one of these', async () => {
  const listed = await fetch(`${gateway.url}/v1/models`, { headers: user.headers });
  const ids = ((await listed.json()) as { id: string }[]).map((model) => model.id);
  expect(MODELS.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

describe.each(MODELS.map((model) => [model.id, model] as const))(
  '%s',
  (id, { lacks = [], refusesNatively, isLearned }) => {
    const wishes = WISHES.filter(([, input]) => !lacks.some((lacking) => input[lacking]));

    it.each(QUIRK_APIS.map((api) => [api.api, api] as const))(
      'answers each effort, forced tools, a schema and a picture in %s without a refusal, as JSON and in streams',
      async (_, api) => {
        const failures: unknown[] = [];
        for (const [description, input] of wishes) {
          for (const stream of [false, true]) {
            const { status, text } = await ask(api, { model: id, stream, ...api.toBody(input) });
            const refusals = upstream.refusals.splice(0);
            const isRefused = api.api === 'Messages' && refusesNatively?.(input) === true;
            const isAnswered = status === 200 && text.includes(answerTo(input)) && (isLearned || refusals.length === 0);
            if (isRefused ? status !== 400 : !isAnswered)
              failures.push({ description, stream, status, text, refusals });
          }
        }
        expect(failures).toEqual([]);
      },
    );

    it.each(AGENT_LOOPS.map((loop) => [loop.api, loop] as const))(
      'finishes a task with tools at the API %s, as JSON and in streams',
      async (_, loop) => {
        for (const isStreamed of [false, true]) {
          const run = await loop.run({ url: gateway.url, key: user.key.key, model: id }, isStreamed);
          const results = ['Sunny in Paris.', 'Sunny in Rome.', 'Sunny in Ostia.'];
          expect({ ...run, refusals: upstream.refusals }).toEqual({ results, answer: 'Sunny.', refusals: [] });
        }
      },
    );
  },
);

describe('what a model refuses is left out and named', () => {
  const [chat, , messages] = QUIRK_APIS;

  async function sentFor(api: QuirkApi | undefined, body: object) {
    if (!api) throw new Error('There is no such API.');
    const answered = await ask(api, body);
    const request = upstream.server.requests.at(-1);
    return { ...answered, path: request?.path, sent: request?.json() };
  }

  it('GPT-6.1 Sol calls tools without what only Chat Completions have, in the Responses API only', async () => {
    const lacking = {
      ...{ stop: 'END', frequency_penalty: 0.5, presence_penalty: 0.5, seed: 7, logit_bias: { 42: 1 } },
      ...{ prediction: { type: 'content', content: 'Sunny' }, max_completion_tokens: 5 },
      ...{ temperature: 0.5, top_p: 0.5, logprobs: true, top_logprobs: 2 },
    };
    for (const stream of [false, true]) {
      const body = { ...chat?.toBody({ forced: 'any' }), ...lacking, model: 'gpt-6.1-sol', stream };
      const { status, ignored, path, sent } = await sentFor(chat, body);
      expect([status, path, ignored]).toEqual([200, '/openai/v1/responses', Object.keys(lacking)]);
      expect(sent).toMatchObject({ model: 'gpt-6.1-sol', max_output_tokens: 16 });
    }
    const stopping = { ...messages?.toBody({ forced: 'any' }), stop_sequences: ['END'], model: 'gpt-6.1-sol' };
    expect(await sentFor(messages, stopping)).toMatchObject({ status: 200, ignored: ['stop_sequences'] });
    expect(upstream.refusals).toEqual([]);
  });

  it('GPT-6.1 Sol refuses several answers with tools', async () => {
    const body = { ...chat?.toBody({ forced: 'any' }), model: 'gpt-6.1-sol', n: 2 };
    const { status, text } = await sentFor(chat, body);
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { param: 'n' } }]);
  });

  it.each(['gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6-luna'])('%s gets no sampling while it reasons', async (model) => {
    const sampling = { temperature: 0.5, top_p: 0.5 };
    for (const api of QUIRK_APIS) {
      expect(await sentFor(api, { ...api.toBody({}), ...sampling, model })).toMatchObject({
        status: 200,
        ignored: Object.keys(sampling),
      });
    }
    // Without reasoning, nothing is refused.
    if (model === 'gpt-6.1-sol') return;
    expect(await sentFor(chat, { ...chat?.toBody({ effort: 'none' }), ...sampling, model })).toMatchObject({
      status: 200,
      ignored: [],
      sent: sampling,
    });
  });

  it('DeepSeek gets no sampling while it thinks', async () => {
    const sampling = { temperature: 0.5, top_p: 0.5 };
    for (const api of QUIRK_APIS) {
      const body = (input: object) => ({ ...api.toBody(input), ...sampling, model: 'deepseek-v4.1-flash' });
      expect(await sentFor(api, body({}))).toMatchObject({ status: 200, ignored: Object.keys(sampling) });
      expect(await sentFor(api, body({ effort: 'none' }))).toMatchObject({
        status: 200,
        ignored: [],
        sent: { ...sampling, thinking: { type: 'disabled' } },
      });
    }
    expect(upstream.refusals).toEqual([]);
  });
});

it('a conversation at GPT-6 that changes its effort is passed on, and translated for others', async () => {
  const [, responses] = QUIRK_APIS;
  if (!responses) throw new Error('There is no such API.');
  const input = [
    { role: 'user', content: 'How is Paris?' },
    { role: 'assistant', content: 'Sunny.' },
    { type: 'configuration_update', reasoning: { effort: 'minimal' } },
    { role: 'user', content: 'And why?' },
  ];
  const tools = [{ type: 'function', name: 'weather', async: true, parameters: { type: 'object' } }];
  const fields = { input, tools, reasoning: { effort: 'high', context: 'all_turns' } };
  const native = await ask(responses, { ...fields, model: 'gpt-6.1-sol' });
  expect(native).toMatchObject({ status: 200, ignored: [] });
  expect(upstream.server.requests.at(-1)?.json()).toMatchObject({
    ...fields,
    input: input.map((item) => ('reasoning' in item ? { ...item, reasoning: { effort: 'low' } } : item)),
  });
  const translated = await ask(responses, { ...fields, model: 'gpt-oss-20b' });
  expect(translated).toMatchObject({ status: 200, ignored: ['tools[0].async', 'reasoning.context'] });
  expect(upstream.server.requests.at(-1)?.json()).toMatchObject({
    reasoning_effort: 'low',
    messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
  });
  expect(upstream.refusals).toEqual([]);
});
