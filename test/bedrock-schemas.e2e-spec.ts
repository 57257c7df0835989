import { beforeEach, describe, expect, it } from '@jest/globals';
import { objectOf, objectsOf } from '../src/upstreams/contract/json.js';
import { StrictUpstream } from './support/strict/strict-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const TOOL = { type: 'function', function: { name: 'weather', parameters: CITY, strict: true } };
const FORMAT = { type: 'json_schema', json_schema: { name: 'place', schema: CITY, strict: true } };

const upstream = await StrictUpstream.start(({ tools: [name] }) => ({
  reasoning: '',
  text: '',
  calls: name === undefined ? [] : [{ name, input: { city: 'Paris' } }],
}));
const model = (id: string, upstreamModel: string, traits = '{}') =>
  `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 200000, price: free, targets: [{ upstream: bedrock, model: ${upstreamModel}, traits: ${traits} }] }`;
const gateway = await TestGateway.start({
  config: {
    'gateway.yaml': 'retry: { attempts: 1 }',
    'upstreams.yaml': `bedrock: { protocol: bedrock, baseUrl: "${upstream.url('bedrock')}", auth: none }`,
    'models.yaml': [
      model('opus', 'us.anthropic.claude-opus-5-5'),
      model('haiku', 'au.anthropic.claude-haiku-4-5-20251001-v1:0'),
      model('declared', 'eu.anthropic.claude-opus-5-5', '{ strictSchemas: false }'),
    ].join('\n'),
  },
});
const user = await gateway.createUser();
beforeEach(() => {
  upstream.refusals.length = 0;
});

async function ask(model: string, fields: object) {
  const messages = [{ role: 'user', content: 'How is the weather in Paris?' }];
  const response = await gateway.complete(user, { model, messages, ...fields });
  const ignored = response.headers.get('x-gateway-ignored-parameters');
  const message = objectOf(objectsOf(objectOf(await response.json()).choices)[0]?.message);
  return { status: response.status, ignored, message };
}

describe('a model of Bedrock that refuses strict schemas', () => {
  it('gets a strict tool as a loose one in a second request, and later ones at once', async () => {
    for (const refusals of [
      ['bedrock: The model returned the following errors: tools.0.custom.strict: Extra inputs are not permitted'],
      [],
    ]) {
      upstream.refusals.length = 0;
      const { status, ignored, message } = await ask('opus', { tools: [TOOL] });
      expect({ status, ignored, refusals: upstream.refusals }).toEqual({
        status: 200,
        ignored: 'tools.function.strict',
        refusals,
      });
      expect(message.tool_calls).toMatchObject([{ function: { name: 'weather', arguments: '{"city":"Paris"}' } }]);
    }
  });

  it('gets a schema as a tool in a second request, and later ones at once', async () => {
    for (const refusals of [
      ['bedrock: The model returned the following errors: output_config.format: Extra inputs are not permitted'],
      [],
    ]) {
      upstream.refusals.length = 0;
      const { status, ignored, message } = await ask('haiku', { response_format: FORMAT });
      expect({ status, ignored, refusals: upstream.refusals }).toEqual({
        status: 200,
        ignored: 'response_format.json_schema.strict',
        refusals,
      });
      expect(message.content).toBe('{"city":"Paris"}');
    }
  });

  it('is never asked for what it declares', async () => {
    const { status, ignored } = await ask('declared', { tools: [TOOL] });
    expect({ status, ignored, refusals: upstream.refusals }).toEqual({
      status: 200,
      ignored: 'tools.function.strict',
      refusals: [],
    });
  });
});
