import { expect, it } from '@jest/globals';
import { TargetHealthService } from '../src/upstreams/target-health.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { RoutingTest } from './support/routing-test.js';
import { hang, json } from './support/script.js';

const chat = await RoutingTest.start({
  settings: 'retry: { attempts: 1 }\nrouting: { asideFor: 500ms }',
  models: {
    probed: 'targets: [{ upstream: a, model: m }, { upstream: b, model: m, priority: 2 }]',
    embeds: 'kind: embedding, dimensions: 2, maxInputTokens: 9, targets: [{ upstream: d, model: e }]',
    silent: 'targets: [{ upstream: c, model: m }, { upstream: b, model: m, priority: 2 }]',
  },
  upstreams: { a: ['a', 'probe: true'], b: ['b'], c: ['c', 'probe: true'], d: ['c', 'probe: true'] },
});
chat.b.always(() => completion('by b'));

const standing = (upstream: string) =>
  chat.gateway.services
    .get(TargetHealthService)
    .list()
    .find((one) => one.upstream === upstream)?.standing;

it('the gateway retries a target until it works, without charging callers', async () => {
  chat.a.always(() => refusal(503));
  for (let call = 0; call < 5; call++) await chat.ask('probed');
  expect(standing('a')).toBe('failing');
  const requested = chat.a.requests.length;
  await chat.a.received(requested + 1);
  chat.a.always(() => completion('by a'));
  await eventually(() => standing('a') === 'free', 20_000);
  const probe = chat.a.requests.at(-1)?.json();
  expect(probe).toMatchObject({ model: 'm', messages: [{ role: 'user', content: 'ping' }] });
  expect(await chat.gateway.calls()).toHaveLength(5);
  expect(await (await chat.ask('probed')).text()).toContain('by a');
});

it('callers are served by other targets meanwhile', async () => {
  chat.c.always(() => refusal(503));
  for (let call = 0; call < 5; call++) await chat.ask('silent');
  const requested = chat.c.requests.length;
  chat.c.always(() => hang());
  await chat.c.received(requested + 1);
  expect(await (await chat.ask('silent')).text()).toContain('by b');
  expect(chat.c.requests).toHaveLength(requested + 1);
});

it('an embedding target is tested with an embedding', async () => {
  chat.c.always(() => refusal(503));
  const embed = () =>
    fetch(`${chat.gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { ...chat.user.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'embeds', input: 'x' }),
    });
  for (let call = 0; call < 5; call++) await embed();
  expect(standing('d')).toBe('failing');
  chat.c.always(() => json(200, { data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1 } }));
  await eventually(() => standing('d') === 'free', 20_000);
  expect(chat.c.requests.at(-1)?.json()).toMatchObject({ model: 'e', input: ['ping'] });
  expect((await embed()).status).toBe(200);
});
