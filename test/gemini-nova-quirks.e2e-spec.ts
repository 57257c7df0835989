import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectOf, objectsOf } from '../src/upstreams/contract/json.js';
import { type ApiClient, CHAT_CLIENT, MESSAGES_CLIENT, RESPONSES_CLIENT } from './support/api-clients.js';
import { StrictUpstream } from './support/strict/strict-upstream.js';
import type { TurnPlan } from './support/strict/turn.js';
import { TestGateway } from './support/test-gateway.js';

/** Models of the shipped catalog, with what they declare there. */
const MODELS = ['gemini-3.8-flash', 'gemini-3.5-flash-lite', 'nova-2-lite'] as const;
type Model = (typeof MODELS)[number];

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const ANSWER = '{"city":"Paris"}';
const QUESTION = 'Where is the Eiffel Tower?';
/** The effort words of OpenAI's APIs. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const TOOL = { name: 'weather', parameters: CITY, strict: true };
const FORMAT = { name: 'place', schema: CITY, strict: true };

interface QuirkApi {
  readonly client: ApiClient;
  /** Fields of requests, by what they ask for; the model answers each in text. */
  readonly options: Readonly<Record<string, JsonObject>>;
  readonly forcedTools: Readonly<Record<string, JsonObject>>;
  readonly schema: JsonObject;
  /** A conversation that ends with the start of an answer, and how the API calls its place. */
  readonly prefilled: JsonObject;
  readonly prefilledAt: string;
  /** In an answer that calls a tool. */
  readonly callMark: string;
  textOf(answer: JsonObject): unknown;
}

const conversation = [
  { role: 'user', content: QUESTION },
  { role: 'assistant', content: 'It is in' },
];

const CHAT: QuirkApi = {
  client: CHAT_CLIENT,
  options: {
    ...Object.fromEntries(EFFORTS.map((effort) => [`the effort ${effort}`, { reasoning_effort: effort }])),
    'the highest effort with sampling': { reasoning_effort: 'max', temperature: 0.3, top_p: 0.9 },
    'the highest effort with a limit': { reasoning_effort: 'max', max_completion_tokens: 900 },
  },
  forcedTools: {
    'any tool': { tools: [{ type: 'function', function: TOOL }], tool_choice: 'required' },
    'a named tool': {
      tools: [{ type: 'function', function: TOOL }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    },
    'a tool and an effort': {
      tools: [{ type: 'function', function: TOOL }],
      tool_choice: 'required',
      reasoning_effort: 'high',
    },
  },
  schema: { response_format: { type: 'json_schema', json_schema: FORMAT } },
  prefilled: { messages: conversation },
  prefilledAt: 'messages[1]',
  callMark: '"finish_reason":"tool_calls"',
  textOf: ({ choices }) => objectOf(objectsOf(choices)[0]?.message).content,
};

const RESPONSES: QuirkApi = {
  client: RESPONSES_CLIENT,
  options: {
    ...Object.fromEntries(EFFORTS.map((effort) => [`the effort ${effort}`, { reasoning: { effort } }])),
    'the highest effort with sampling': { reasoning: { effort: 'max' }, temperature: 0.3, top_p: 0.9 },
    'the highest effort with a limit': { reasoning: { effort: 'max' }, max_output_tokens: 900 },
  },
  forcedTools: {
    'any tool': { tools: [{ type: 'function', ...TOOL }], tool_choice: 'required' },
    'a named tool': { tools: [{ type: 'function', ...TOOL }], tool_choice: { type: 'function', name: 'weather' } },
  },
  schema: { text: { format: { type: 'json_schema', ...FORMAT } } },
  prefilled: { input: conversation },
  prefilledAt: 'input[1]',
  callMark: '"type":"function_call"',
  textOf: ({ output }) =>
    objectsOf(output)
      .filter(({ type }) => type === 'message')
      .flatMap(({ content }) => objectsOf(content))[0]?.text,
};

const MESSAGES: QuirkApi = {
  client: MESSAGES_CLIENT,
  options: {
    ...Object.fromEntries(
      ['low', 'medium', 'high', 'xhigh', 'max'].map((effort) => [
        `the effort ${effort}`,
        { output_config: { effort } },
      ]),
    ),
    'disabled thinking': { thinking: { type: 'disabled' } },
    'a thinking budget': { thinking: { type: 'enabled', budget_tokens: 24_000 }, max_tokens: 32_000 },
    'the highest effort with sampling': { output_config: { effort: 'max' }, temperature: 0.3, top_p: 0.9 },
  },
  forcedTools: {
    'any tool': {
      tools: [{ name: 'weather', input_schema: CITY, strict: true }],
      tool_choice: { type: 'any' },
    },
    'a named tool': {
      tools: [{ name: 'weather', input_schema: CITY, strict: true }],
      tool_choice: { type: 'tool', name: 'weather' },
    },
  },
  schema: { output_config: { format: { type: 'json_schema', schema: CITY } } },
  prefilled: { messages: conversation },
  prefilledAt: 'messages[1]',
  callMark: '"stop_reason":"tool_use"',
  textOf: ({ content }) => objectsOf(content).find(({ type }) => type === 'text')?.text,
};

/** Calls the tool that is offered, else answers in text. */
const plan: TurnPlan = ({ tools: [name] }) =>
  name === undefined
    ? { reasoning: 'I know it.', text: ANSWER, calls: [] }
    : { reasoning: 'I need a tool.', text: '', calls: [{ name, input: { city: 'Paris' } }] };

const upstream = await StrictUpstream.start(plan);
const gateway = await TestGateway.start({
  env: {
    GEMINI_BASE_URL: upstream.url('gemini'),
    GEMINI_API_KEY: 'key-1',
    BEDROCK_BASE_URL: upstream.url('bedrock'),
    AWS_BEARER_TOKEN_BEDROCK: 'key-2',
  },
});
const user = await gateway.createUser({ plan: 'pro' });
beforeEach(() => {
  upstream.refusals.length = 0;
});

async function ask({ client }: QuirkApi, model: Model, fields: JsonObject, stream: boolean) {
  const response = await fetch(`${gateway.url}${client.path(model)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...client.headers, ...client.keyHeaders(user.key.key) },
    body: JSON.stringify({ ...client.question(model, QUESTION), ...fields, stream }),
  });
  const { status, headers } = response;
  return { status, ignored: headers.get('x-gateway-ignored-parameters'), body: await response.text() };
}

/** The text of a whole answer. */
function textIn({ client, textOf }: QuirkApi, body: string, stream: boolean): unknown {
  if (!stream) return textOf(JSON.parse(body));
  const { text, isWhole } = client.readStream(body);
  return isWhole ? text : null;
}

function sentBody(): JsonObject {
  return objectOf(upstream.server.requests.at(-1)?.json());
}

const APIS: readonly (readonly [string, QuirkApi])[] = [CHAT, RESPONSES, MESSAGES].map((api) => [api.client.api, api]);

describe.each(MODELS)('%s', (model) => {
  describe.each(APIS)('at the API %s', (_, api) => {
    describe.each([
      ['in whole answers', false],
      ['in streams', true],
    ])('%s', (_form, stream) => {
      it.each(Object.entries(api.options))('takes %s', async (_option, fields) => {
        const { status, body } = await ask(api, model, fields, stream);
        expect({ status, refusals: upstream.refusals }).toEqual({ status: 200, refusals: [] });
        expect(textIn(api, body, stream)).toBe(ANSWER);
      });

      it.each(Object.entries(api.forcedTools))('calls %s when forced', async (_choice, fields) => {
        const { status, body } = await ask(api, model, fields, stream);
        expect({ status, refusals: upstream.refusals }).toEqual({ status: 200, refusals: [] });
        expect(body).toContain(api.callMark);
      });

      it('answers in the form of a JSON schema', async () => {
        const { status, body } = await ask(api, model, api.schema, stream);
        expect({ status, refusals: upstream.refusals }).toEqual({ status: 200, refusals: [] });
        expect(textIn(api, body, stream)).toBe(ANSWER);
      });

      it('continues a conversation that ends with an answer, or says which message cannot be continued', async () => {
        const { status, body } = await ask(api, model, api.prefilled, stream);
        expect(upstream.refusals).toEqual([]);
        if (model === 'nova-2-lite') return expect(status).toBe(200);
        expect({ status, names: body.includes(api.prefilledAt) }).toEqual({ status: 400, names: true });
      });
    });
  });
});

describe.each(['gemini-3.8-flash', 'gemini-3.5-flash-lite'] as const)('the penalties of a request to %s', (model) => {
  it.each([false, true])('are left out and named (stream: %s)', async (stream) => {
    const penalties = { presence_penalty: 0.5, frequency_penalty: -0.5 };
    const { status, ignored } = await ask(CHAT, model, { ...penalties, temperature: 0.4 }, stream);
    expect({ status, refusals: upstream.refusals }).toEqual({ status: 200, refusals: [] });
    expect(ignored?.split(', ').sort()).toEqual(['frequency_penalty', 'presence_penalty']);
    expect(sentBody().generationConfig).toEqual({ temperature: 0.4 });
  });

  it('are neither sent nor named if they are zero', async () => {
    const { status, ignored } = await ask(CHAT, model, { presence_penalty: 0, frequency_penalty: 0 }, false);
    expect({ status, ignored, refusals: upstream.refusals }).toEqual({ status: 200, ignored: null, refusals: [] });
    expect(sentBody()).not.toHaveProperty('generationConfig');
  });
});

describe('what a request to Nova 2 gets in place of its highest effort', () => {
  it.each([
    [CHAT, 'reasoning_effort'],
    [RESPONSES, 'reasoning.effort'],
  ] as const)('its highest effort beside an output limit is named as the field of the API', async (api, name) => {
    const { ignored } = await ask(api, 'nova-2-lite', api.options['the highest effort with a limit'] ?? {}, false);
    expect(ignored).toBe(name);
    expect(sentBody()).toMatchObject({
      inferenceConfig: { maxTokens: 900 },
      additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } },
    });
  });

  it('its highest effort without an output limit is that effort, without sampling', async () => {
    const fields = CHAT.options['the highest effort with sampling'] ?? {};
    const { ignored } = await ask(CHAT, 'nova-2-lite', fields, false);
    expect(ignored).toBe('temperature, top_p');
    expect(sentBody()).toMatchObject({
      additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
    });
    expect(sentBody()).not.toHaveProperty('inferenceConfig');
  });
});

it('reports a model of Bedrock that needs an inference profile to the operator, not to the client', async () => {
  const message =
    'Invocation of model ID amazon.nova-2-lite-v1:0 with on-demand throughput isn\u2019t supported. Retry your request with the ID or ARN of an inference profile that contains this model.';
  upstream.follow(() => ({ status: 400, message }));
  const { status, body } = await ask(CHAT, 'nova-2-lite', {}, false);
  upstream.follow(plan);
  expect(status).toBe(502);
  expect(body).not.toContain('inference profile');
  const logged = gateway.log.map((entry) => JSON.stringify(entry)).find((entry) => entry.includes('on-demand'));
  expect(logged).toContain("The target's model in models.yaml must be an id or inference profile");
});
