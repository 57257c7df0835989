import { expect, it } from '@jest/globals';
import { answerTo, refusal } from './support/chat-answers.js';
import { RoutingTest } from './support/routing-test.js';

const cost = (usd: number) => `cost: { inputUsdPerMTok: ${usd}, outputUsdPerMTok: ${usd} }`;
const chat = await RoutingTest.start({
  settings: 'retry: { attempts: 1 }',
  models: {
    fastest: 'strategy: fastest, targets: [{ upstream: a, model: m }, { upstream: b, model: m }]',
    cheapest: `strategy: cheapest, price: { inputUsdPerMTok: 1000, outputUsdPerMTok: 1000 },
      targets: [{ upstream: a, model: m, ${cost(3)} }, { upstream: b, model: m, priority: 2, ${cost(2)} }]`,
  },
  upstreams: { a: ['a'], b: ['b'] },
});

it('fastest: prefers the target with the earlier first chunk, and tests the other with a share of calls', async () => {
  chat.a.always((request) => answerTo(request, 400));
  chat.b.always((request) => answerTo(request));
  for (let call = 0; call < 12; call++) await (await chat.ask('fastest')).text();
  const before = chat.a.requests.length;
  // Medians are updated once a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  for (let call = 0; call < 40; call++) await (await chat.ask('fastest')).text();
  expect(chat.a.requests.length - before).toBeLessThan(20);
});

it("cheapest: tries targets by cost; the caller pays the model's price", async () => {
  chat.a.always((request) => answerTo(request));
  chat.b.always((request) => answerTo(request));
  const cheap = await chat.row(await chat.ask('cheapest'));
  expect(cheap.upstream).toBe('b');
  chat.b.always(() => refusal(503));
  const dear = await chat.row(await chat.ask('cheapest'));
  expect(dear.upstream).toBe('a');
  expect(dear.cost_nanodollars).toBe(cheap.cost_nanodollars);
  expect(Number(dear.cost_nanodollars)).toBeGreaterThan(0);
});
