import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerTo, stream } from '../support/chat-answers.js';
import { queryEmbedded } from '../support/embedded-query.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { childrenOf, processesOn } from '../support/processes.js';
import { gate } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { StreamReader } from '../support/stream-reader.js';
import { createMigratedDatabase, type TestDatabase } from '../support/test-database.js';

const WORKERS = 3;
const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] };
/** So many new connections miss none of the workers but once in ten thousand million times. */
const ENOUGH = 60;

describe.each(['embedded database', 'DATABASE_URL'])('a gateway with workers (%s)', (where) => {
  let upstream: ScriptedUpstream;
  let database: TestDatabase | undefined;
  let gateway: GatewayProcess;
  let key: string;
  let hold = Promise.withResolvers<void>();

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    upstream.always((received) => answerTo(received));
    if (where === 'DATABASE_URL') database = await createMigratedDatabase();
    gateway = await GatewayProcess.start({ env: variables() });
    key = await gateway.createKey();
  });
  afterAll(async () => {
    hold.resolve();
    await database?.drop();
  });

  const variables = () => ({
    WORKERS: String(WORKERS),
    ...(where === 'DATABASE_URL' && { METRICS_PORT: '0' }),
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    OPENAI_API_KEY: 'sk-test',
    ...(database && { DATABASE_URL: database.url }),
  });
  const workers = () => childrenOf(gateway.child.pid, 'worker.js');
  const metricsUrl = () => {
    const { hostname, port } = new URL(gateway.url);
    const own = gateway.log.flatMap(({ msg }) => /^The metrics are on port (\d+)/.exec(String(msg))?.[1] ?? []);
    return `http://${hostname}:${own[0] ?? port}/metrics`;
  };
  const metricLines = async () => {
    const response = await fetch(metricsUrl(), { headers: { connection: 'close' } });
    return (await response.text()).split('\n');
  };
  const query = (sql: string) =>
    (database ? database.query(sql) : queryEmbedded(join(gateway.folder.path, 'data'), sql)) as Promise<
      Record<string, string>[]
    >;

  /** On a connection of its own; 0 when there was no answer. */
  const statusOfCall = async (bearer = key): Promise<number> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', connection: 'close' };
    const sent = request(`${gateway.url}/v1/chat/completions`, { method: 'POST', agent: false, headers });
    sent.end(JSON.stringify(HELLO));
    try {
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    } catch {
      return 0;
    }
  };
  const statusesOfCalls = async (bearer?: string) =>
    new Set(await Promise.all(Array.from({ length: ENOUGH }, () => statusOfCall(bearer))));
  const instances = async (condition = 'true') =>
    (await query(`SELECT DISTINCT instance_id AS id FROM usage_calls WHERE ${condition}`)).map(({ id }) => id);

  /** Streams that have begun and go on when `hold` is resolved. */
  const openStreams = async (count: number): Promise<StreamReader[]> => {
    hold = Promise.withResolvers<void>();
    return Promise.all(
      Array.from({ length: count }, async () => {
        upstream.enqueue(stream(['Hello', gate(hold.promise), ' there!']));
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...HELLO, stream: true }),
        });
        const reader = new StreamReader(response);
        await reader.until((event) => event.includes('Hello'));
        return reader;
      }),
    );
  };

  it('serves on one port with all of them, and is ready when all are', async () => {
    expect(workers()).toHaveLength(WORKERS - 1);
    expect(await statusesOfCalls()).toEqual(new Set([200]));
    expect(await instances()).toHaveLength(WORKERS);
    const lines = await eventually(() => {
      const log = gateway.log.filter(({ msg }) => msg === 'request');
      return log.filter(({ path }) => path === '/v1/chat/completions').length === ENOUGH && log;
    });
    expect(new Set(lines.map(({ worker }) => worker))).toEqual(new Set([1, 2, 3]));
    expect(gateway.log.filter(({ msg }) => String(msg).startsWith('Listening on'))).toHaveLength(1);
    expect(gateway.log.filter(({ msg }) => String(msg).startsWith('Base URL'))).toHaveLength(1);
  });

  it('adds up the metrics of all workers, whichever is scraped', async () => {
    const memory = (pid: number) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
    for (let times = 0; times < 10; times++) {
      const lines = await metricLines();
      expect(valuesOf(lines, 'gateway_call_seconds_count')).toEqual([ENOUGH]);
      expect(lines.filter((line) => line.startsWith('# TYPE gateway_call_seconds '))).toHaveLength(1);
      expect(lines.join()).not.toContain('worker=');
      const lag = ['p50', 'p99', 'max'].flatMap((part) => valuesOf(lines, `nodejs_eventloop_lag_${part}_seconds`));
      expect(lag).toHaveLength(3);
      expect(valuesOf(lines, 'gateway_processes')).toEqual([WORKERS]);
      expect(valuesOf(lines, 'process_start_time_seconds')).toHaveLength(1);
    }
    const [all = 0] = valuesOf(await metricLines(), 'process_resident_memory_bytes');
    const largest = Math.max(...[gateway.child.pid ?? 0, ...workers()].map(memory));
    expect(all).toBeGreaterThan(1.5 * largest);
  });

  // Replacing a worker and telling all of them does not depend on where the database is.
  if (where === 'DATABASE_URL') {
    it('applies a revocation of a key in all of them', async () => {
      const created = await gateway.cli('key:create', '--email', 'someone@example.com', '--name', 'old', '--json');
      const { id, key: old } = JSON.parse(created.stdout);
      expect(await statusesOfCalls(old)).toEqual(new Set([200]));
      await gateway.cli('key:revoke', '--id', id);
      await eventually(async () => (await statusOfCall(old)) === 401);
      await eventually(async () => !(await statusesOfCalls(old)).has(200));
      expect(await statusesOfCalls(old)).toEqual(new Set([401]));
    });

    it('replaces one that is killed, closes its calls and loses no others', async () => {
      const streams = await openStreams(ENOUGH / 2);
      const before = workers();
      const known = await instances();
      const counted = () => metricLines().then((lines) => valuesOf(lines, 'gateway_call_seconds_count')[0] ?? 0);
      const countedBefore = await counted();
      expect(await instances("status = 'open'")).toHaveLength(WORKERS);
      process.kill(before[0] ?? 0, 'SIGKILL');
      await eventually(() => workers().some((pid) => !before.includes(pid)));
      await eventually(async () => (await instances("status = 'interrupted'")).length === 1, 20_000);
      expect(await instances("status = 'open'")).toHaveLength(WORKERS - 1);
      hold.resolve();
      const ends = await Promise.all(
        streams.map(async (reader) => {
          await reader.until().catch(() => undefined);
          return reader.events.at(-1) === '[DONE]';
        }),
      );
      const [{ calls } = {}] = await query("SELECT count(*) AS calls FROM usage_calls WHERE status = 'interrupted'");
      expect(ends.filter((isWhole) => !isWhole)).toHaveLength(Number(calls));
      await eventually(() => gateway.log.filter(({ msg }) => /^Worker \d serves/.test(String(msg))).length === WORKERS);
      await eventually(async () => (await counted()) === countedBefore + ENOUGH / 2 - Number(calls));
      expect(await statusesOfCalls()).toEqual(new Set([200]));
      expect((await instances()).filter((id) => !known.includes(id))).toHaveLength(1);
      expect(workers()).toHaveLength(WORKERS - 1);
    });

    it('replaces one that is stopped, without rejecting connections', async () => {
      const before = workers();
      const statuses = new Map<number, number>();
      let isOver = false;
      const callers = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          const status = await statusOfCall();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      const [stopped = 0] = before;
      process.kill(stopped, 'SIGTERM');
      await eventually(() => !isRunning(stopped));
      await eventually(() => workers().length === WORKERS - 1 && workers().some((pid) => !before.includes(pid)));
      await eventually(
        () => gateway.log.filter(({ msg }) => /^Worker \d serves/.test(String(msg))).length === WORKERS + 1,
      );
      isOver = true;
      await Promise.all(callers);
      expect([...statuses.keys()]).toEqual([200]);
    });

    it('does not share its port with another gateway', async () => {
      const other = await GatewayProcess.start({
        env: { ...variables(), PORT: new URL(gateway.url).port },
        eager: true,
      });
      expect(await other.ended()).toBe(1);
      expect(other.stderr).toContain('EADDRINUSE');
      await other.folder.remove();
    });
  }

  it('logs its start and its stop in order', async () => {
    const stopping = await GatewayProcess.start({
      env: { SIMULATOR: 'on', WORKERS: '2', PORT: String(await freePort()) },
    });
    const messages = () => stopping.log.map(({ msg }) => String(msg));
    await eventually(() => messages().some((line) => line.startsWith('Console')));
    expect(await stopping.kill('SIGTERM')).toBe(0);
    const starts = ['Worker 2 serves', 'Listening on', 'Console', 'Shutting', 'Stopped.'];
    const places = starts.map((begin) => messages().findIndex((line) => line.startsWith(begin)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    await stopping.folder.remove();
  });

  it('drains all of them on a signal', async () => {
    const message = (begin: string) => gateway.log.filter(({ msg }) => String(msg).startsWith(begin)).length;
    const before = { shuttingDown: message('Shutting down'), stopped: message('Stopped.') };
    const streams = await openStreams(ENOUGH / 2);
    gateway.child.kill('SIGTERM');
    await eventually(() => message('Shutting down') - before.shuttingDown === WORKERS);
    hold.resolve();
    for (const reader of streams) await reader.until();
    expect(new Set(streams.map(({ events }) => events.at(-1)))).toEqual(new Set(['[DONE]']));
    expect(await gateway.ended()).toBe(0);
    expect(message('Stopped.') - before.stopped).toBe(WORKERS);
    expect(gateway.log.at(-1)).toMatchObject({ msg: 'Stopped.', worker: 1 });
  });

  it('ends them with the first process, and frees the port', async () => {
    gateway = await GatewayProcess.start({ env: variables(), folder: gateway.folder });
    const pids = workers();
    expect(pids).toHaveLength(WORKERS - 1);
    await gateway.kill('SIGKILL');
    await eventually(() => pids.every((pid) => !isRunning(pid)));
    await eventually(() => processesOn(gateway.folder.path).length === 0);
    const server = createServer().listen(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });
});

function valuesOf(lines: readonly string[], name: string): number[] {
  return lines
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.split(' ').at(-1)));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
