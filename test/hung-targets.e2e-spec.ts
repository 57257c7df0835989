import { expect, it } from '@jest/globals';
import { SETTINGS, type Settings } from '../src/config/settings.js';
import { completion, stream } from './support/chat-answers.js';
import { RoutingTest } from './support/routing-test.js';
import { hang, pause } from './support/script.js';

const targets = (first: string, second: string) =>
  `targets: [{ upstream: ${first}, model: m }, { upstream: ${second}, model: m, priority: 2 }]`;
const chat = await RoutingTest.start({
  settings: 'retry: { attempts: 1 }',
  models: { usual: targets('a', 'b'), patient: targets('a-patient', 'b') },
  upstreams: { a: ['a'], b: ['b'], 'a-patient': ['a', 'clocks: { firstEvent: 1m }'] },
});
// Instead of the default of 30 s.
for (const upstream of chat.gateway.services.get<Settings>(SETTINGS).upstreams.values()) {
  if (upstream.nextTargetAfter !== null) Object.assign(upstream, { nextTargetAfter: 300 });
}

it('a stream goes to the next target when the first was silent for the default time; the last one gets the full time', async () => {
  chat.a.enqueue(hang());
  chat.b.enqueue([pause(1500), stream(['by b'])]);
  const response = await chat.ask('usual', { stream: true });
  expect(await response.text()).toContain('by b');
  expect(response.headers.get('x-gateway-attempts')).toBe('2');
});

it.each([
  ['a stream with a configured clock', 'patient', { stream: true }],
  ['a whole answer', 'usual', {}],
])('%s gets the full time', async (_, model, fields) => {
  chat.a.enqueue([pause(1500), 'stream' in fields ? stream(['by a']) : completion('by a')]);
  const response = await chat.ask(model, fields);
  expect(await response.text()).toContain('by a');
  expect(response.headers.get('x-gateway-attempts')).toBe('1');
});
