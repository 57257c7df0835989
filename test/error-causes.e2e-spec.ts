import { describe, expect, it } from '@jest/globals';
import { completion, refusal } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { RoutingTest } from './support/routing-test.js';

const span = () =>
  `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
const errors = async (client: ConsoleClient, query = 'scope=all') =>
  (await client.get(`/api/usage/errors?${span()}&${query}`)).body;
const requests = async (query: string) => (await admin.get(`/api/usage/calls?${span()}&scope=all&${query}`)).body.items;

const chat = await RoutingTest.start({
  settings: 'retry: { attempts: 1 }',
  models: { m: 'targets: [{ upstream: a, model: model-x }]', n: 'targets: [{ upstream: b, model: model-y }]' },
  upstreams: { a: ['a'], b: ['b'] },
  env: { B_API_KEY: 'secret-of-b' },
});
const admin = await ConsoleClient.as(chat.gateway, 'admin');
const other = await chat.gateway.createUser();
for (const [user, id] of [
  [chat.user, 'req-4711'],
  [other, 'req-4712'],
  [other, 'req-4713'],
] as const) {
  chat.a.enqueue(refusal(500, `Internal error ${id}, please report it.\nA second line.`));
  await chat.ask('m', {}, user);
}
chat.b.enqueue(refusal(401, 'Incorrect API key provided.'));
await chat.ask('n');
for (const model of ['unknown-1', 'unknown-2']) await chat.ask(model);
await eventually(async () => (await errors(admin)).causes.length === 3);

describe('GET /api/usage/errors', () => {
  it('counts errors whose messages differ only in numbers and ids as one cause', async () => {
    const { causes, others } = await errors(admin);
    expect(others).toBe(0);
    expect(causes[0]).toMatchObject({
      ...{ kind: 'failed', upstream: 'a', status: 500, code: 'upstream_error', count: 3, users: 2, models: ['m'] },
      message: 'Internal error req-4713, please report it.',
      remedy: null,
    });
    const { firstAt, lastAt, lastId } = causes[0];
    expect(Date.parse(firstAt)).toBeLessThan(Date.parse(lastAt));
    expect((await admin.get(`/api/usage/calls/${lastId}`)).body).toMatchObject({ startedAt: lastAt, model: 'm' });
  });

  it('counts refused requests by status and code, with the newest message', async () => {
    const { causes } = await errors(admin, 'scope=all&statuses=refused');
    expect(causes).toEqual([
      expect.objectContaining({
        ...{ kind: 'refused', upstream: null, status: 404, code: 'model_not_found', count: 2, users: 1 },
        message: expect.stringContaining('unknown-2'),
        remedy: 'Use an id from `GET /v1/models`.',
        lastId: expect.stringMatching(/^refused-/),
      }),
    ]);
  });

  it('says what removes a refused credential, and that it lasts until the upstream answers', async () => {
    const ofB = async () =>
      (await errors(admin)).causes.find(({ upstream }: { upstream: string | null }) => upstream === 'b');
    expect(await ofB()).toMatchObject({
      isOngoing: true,
      remedy: "b refuses the gateway's credential. Set B_API_KEY to a valid credential, with access to the model.",
    });
  });

  it('has only the errors of the person who is not an administrator', async () => {
    const member = await ConsoleClient.as(chat.gateway, 'member');
    expect(await errors(member, '')).toEqual({ causes: [], others: 0 });
    expect((await member.get(`/api/usage/errors?${span()}&scope=all`)).status).toBe(403);
  });

  it('GET /api/usage/errors and the list of requests can be filtered by error code and by HTTP status, refused requests included', async () => {
    const ofCode = await requests('codes=model_not_found');
    expect(ofCode.map(({ status }: { status: string }) => status)).toEqual(['refused', 'refused']);
    expect(await requests('httpStatuses=401')).toMatchObject([{ upstream: 'b', upstreamStatus: 401, httpStatus: 502 }]);
    expect(await requests('httpStatuses=502')).toHaveLength(4);
    expect(await requests('httpStatuses=404&codes=upstream_error')).toEqual([]);
    expect(await requests('codes=model_not_found&limit=1')).toHaveLength(1);
    expect((await errors(admin, 'scope=all&httpStatuses=401')).causes).toHaveLength(1);
  });

  it('GET /api/usage/errors and the values of these filters are counted over all errors of the range', async () => {
    const facet = async (of: string) =>
      (await admin.get(`/api/usage/calls/facets?${span()}&scope=all&of=${of}`)).body.options;
    expect(await facet('code')).toMatchObject([
      { id: 'upstream_error', count: 4 },
      { id: 'model_not_found', count: 2 },
    ]);
    expect(await facet('httpStatus')).toMatchObject([
      { id: '500', count: 3 },
      { id: '404', count: 2 },
      { id: '401', count: 1 },
    ]);
  });
});

describe('the reason why an upstream does not answer', () => {
  const ofB = async () =>
    (await admin.get('/api/upstreams')).body.upstreams.find(({ name }: { name: string }) => name === 'b');

  it('stays on Upstreams and the overview after the upstream is no longer set aside, until it answers', async () => {
    const fault = { key: null, code: 'upstream_error', status: 401, message: 'Incorrect API key provided.' };
    // As if it had been refused two days ago.
    await chat.gateway.database.query(
      `UPDATE usage_calls SET started_at = started_at - interval '2 days' WHERE upstream = 'b'`,
    );
    expect((await ofB()).faults).toMatchObject([fault]);
    const { failing } = (await admin.get('/api/overview?scope=all')).body;
    expect(failing.find(({ name }: { name: string }) => name === 'b')).toMatchObject({ faults: [fault] });

    chat.b.enqueue(completion());
    expect((await chat.ask('n')).status).toBe(200);
    expect((await ofB()).faults).toEqual([]);
  });
});
