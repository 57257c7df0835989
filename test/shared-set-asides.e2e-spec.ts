import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TargetHealthService } from '../src/upstreams/target-health.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import type { ReceivedRequest } from './support/received-request.js';
import { modelsFile } from './support/routing-test.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const NAMES = ['a', 'b', 'c', 'd'] as const;
type Name = (typeof NAMES)[number];

const CONVERSATIONS = 200;
const TURNS = 8;
/** The turns in which upstream a fails. */
const FAILING = [4, 5];
const AT_ONCE = 20;

describe('three gateways on one database', () => {
  let database: TestDatabase;
  /** Between the last gateway and the database. */
  let proxy: DatabaseProxy;
  let gateways: TestGateway[];
  let user: TestUser;
  let upstreams: Record<Name, ScriptedUpstream>;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    const servers = await Promise.all(NAMES.map(() => ScriptedUpstream.start()));
    upstreams = Object.fromEntries(NAMES.map((name, index) => [name, servers[index]])) as Record<
      Name,
      ScriptedUpstream
    >;
    const target = (name: Name, model: string) => `{ upstream: ${name}, model: ${model} }`;
    const config = {
      'gateway.yaml': 'retry: { attempts: 1 }\nrouting: { asideFor: 1s }',
      'models.yaml': modelsFile({
        spread: `targets: [${NAMES.map((name) => target(name, 'm')).join(', ')}]`,
        ...Object.fromEntries(NAMES.map((name) => [`only-${name}`, `targets: [${target(name, 'only')}]`])),
      }),
      'upstreams.yaml': NAMES.map(
        (name) => `${name}: { protocol: openai, baseUrl: "${upstreams[name].url}/v1" }\n`,
      ).join(''),
    };
    const keys = NAMES.flatMap((name) =>
      ['', '_2'].map((end) => [`${name.toUpperCase()}_API_KEY${end}`, `key${end || '_1'}`]),
    );
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    gateways = [];
    for (let index = 0; index < 3; index++) {
      const env = { ...Object.fromEntries(keys), ...(index === 2 && { DATABASE_URL: proxy.url }) };
      gateways.push(await TestGateway.start({ env, config, database }));
    }
    user = await at(0).createUser();
    for (const server of servers) server.always(() => completion());
  });
  afterAll(async () => {
    await Promise.all(NAMES.map((name) => upstreams[name].close()));
  });

  function at(index: number): TestGateway {
    const gateway = gateways[index];
    if (!gateway) throw new Error(`there is no gateway ${index}`);
    return gateway;
  }

  const isReady = async (index: number) => (await at(index).get('/health/ready')).status === 200;

  /** A key's standing, and who noticed it, as one gateway sees it. */
  const seenBy = (index: number, upstream: Name, key: string, model = 'only') => {
    const targets = at(index).services.get(TargetHealthService).list();
    const { standing, asideBy } = targets.find(
      (one) => one.upstream === upstream && one.key === key && one.model === model,
    ) ?? { standing: 'free', asideBy: null };
    return { standing, isOthers: asideBy !== null };
  };

  it('know within a second what one of them sets aside, and when it works again', async () => {
    upstreams.a.always(() => refusal(503));
    for (let call = 0; call < 10; call++) await at(0).complete(user, ask('only-a'));
    const keys = ['1', '2'].filter((key) => seenBy(0, 'a', key).standing === 'failing');
    expect(keys.length).toBeGreaterThan(0);
    for (const index of [1, 2]) {
      await eventually(() => keys.every((key) => seenBy(index, 'a', key).standing === 'failing'), 1000);
    }
    for (const key of keys) {
      expect(seenBy(0, 'a', key).isOthers).toBe(false);
      expect(seenBy(1, 'a', key).isOthers).toBe(true);
    }

    upstreams.a.always(() => completion());
    await eventually(() => keys.every((key) => seenBy(0, 'a', key).standing === 'probe'));
    await eventually(async () => {
      await at(0).complete(user, ask('only-a'));
      return keys.every((key) => seenBy(0, 'a', key).standing === 'free');
    });
    for (const index of [1, 2]) {
      await eventually(() => keys.every((key) => seenBy(index, 'a', key).standing === 'free'), 1000);
    }
  });

  it('know within a second which key is refused, and which is rate-limited', async () => {
    upstreams.b.enqueue(refusal(401));
    upstreams.c.enqueue(refusal(429, 'Slow down.', { 'retry-after': '20' }));
    await at(1).complete(user, ask('only-b'));
    await at(1).complete(user, ask('only-c'));
    const standings = (upstream: Name) => ['1', '2'].map((key) => seenBy(2, upstream, key).standing);
    await eventually(() => standings('c').includes('limited'), 1000);
    await at(2).complete(user, ask('only-b'));
    await eventually(() => standings('b').includes('refused'), 1000);
    expect(upstreams.b.requests.filter(({ headers }) => headers.authorization === refusedKey())).toHaveLength(1);
  });

  const refusedKey = () => upstreams.b.requests[0]?.headers.authorization;

  it('use their own results while the database is unavailable, and share them again afterwards', async () => {
    const { news } = at(2).services.get(TargetHealthService);
    const limited = { kind: 'limited', upstream: 'd', key: '1', forMs: 60_000, times: 0 } as const;
    await proxy.close();
    news.next({ ...limited, model: 'away' });
    await eventually(async () => !(await isReady(2)), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await proxy.open();
    await eventually(() => {
      news.next({ ...limited, model: 'back' });
      return seenBy(0, 'd', '1', 'back').standing === 'limited';
    }, 20_000);
    await eventually(() => isReady(2), 20_000);
  });

  it('send the turns of a conversation to one target while it works', async () => {
    /** Names the upstream and the key of the request. */
    const answer = (name: Name) => (request: ReceivedRequest) => completion(`${name} ${request.headers.authorization}`);
    for (const name of NAMES) upstreams[name].always(answer(name));
    const served = Array.from({ length: CONVERSATIONS }, (): string[] => []);
    let later = 0;
    let stayed = 0;
    for (let turn = 1; turn <= TURNS; turn++) {
      const isFailing = FAILING.includes(turn);
      upstreams.a.always((request) => (isFailing ? refusal(503) : answer('a')(request)));
      if (turn === FAILING.length + (FAILING[0] ?? 0)) await new Promise((resolve) => setTimeout(resolve, 1500));
      await inParallel(served, async (targets, conversation) => {
        const response = await at((conversation * 7 + turn * 5) % 3).complete(user, turnOf(conversation, turn));
        expect(response.status).toBe(200);
        targets[turn] = (
          (await response.json()) as { choices: [{ message: { content: string } }] }
        ).choices[0].message.content;
      });
      // Conversations are recognised from their second turn on.
      if (turn < 3) continue;
      for (const targets of served) {
        const before = targets[turn - 1] ?? '';
        if (isFailing && before.startsWith('a ')) continue;
        later++;
        if (targets[turn] === before) stayed++;
      }
    }
    expect(later).toBeGreaterThan(1000);
    expect(stayed / later).toBeGreaterThanOrEqual(0.99);
    const moved = served.filter((targets) => targets[3]?.startsWith('a '));
    expect(moved.length).toBeGreaterThan(10);
    for (const targets of moved) expect(targets[5]).not.toMatch(/^a /);
  });

  it('send their last news before they stop', async () => {
    const leaving = at(2);
    gateways.pop();
    const last = { kind: 'limited', upstream: 'd', key: '1', forMs: 60_000, times: 0, model: 'last' } as const;
    leaving.services.get(TargetHealthService).news.next(last);
    await leaving.stop();
    await eventually(() => seenBy(0, 'd', '1', 'last').standing === 'limited', 1000);
    expect(leaving.log.filter(({ context }) => context === 'RoutingNews')).toEqual([]);
  });
});

function ask(model: string) {
  return { model, messages: [{ role: 'user', content: 'Hello' }] };
}

function turnOf(conversation: number, turn: number) {
  const messages = [{ role: 'user', content: `Question of conversation ${conversation}` }];
  for (let before = 1; before < turn; before++) {
    messages.push({ role: 'assistant', content: `Answer ${before}` }, { role: 'user', content: `Question ${before}` });
  }
  return { model: 'spread', messages };
}

async function inParallel<One>(list: readonly One[], work: (one: One, index: number) => Promise<void>): Promise<void> {
  const left = list.entries();
  const worker = async () => {
    for (const [index, one] of left) await work(one, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
