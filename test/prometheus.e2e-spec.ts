import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { freePort } from './support/free-port.js';
import { findProgram } from './support/program.js';

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

interface Config {
  global: object;
  rule_files: string[];
  scrape_configs: { static_configs: { targets: string[] }[] }[];
}

/** What a healthy gateway without limits and without a replica has nothing to tell of. */
const EMPTY = ['Refused by limits', 'Replica lag'];
const SCRAPES = 4;

const program = findProgram('prometheus', 'TEST_PROMETHEUS');
const run = promisify(execFile);
const dashboard = JSON.parse(await readFile('deploy/grafana/gateway.json', 'utf8')) as { panels: Panel[] };
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

/** deploy/prometheus/prometheus.yml with this machine's addresses, and every second. */
async function configFor(gateway: string): Promise<string> {
  const config = parse(await readFile('deploy/prometheus/prometheus.yml', 'utf8')) as Config;
  for (const { static_configs: found } of config.scrape_configs) for (const one of found) one.targets = [gateway];
  const every = { scrape_interval: '1s', evaluation_interval: '1s' };
  return stringify({ ...config, global: every, rule_files: [resolve('deploy/alerts/gateway.rules.yml')] });
}

(program ? describe : describe.skip)('a Prometheus of docker-compose', () => {
  let chat: ChatTest;
  let child: ChildProcess;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    chat = await ChatTest.start();
    folder = await mkdtemp(join(tmpdir(), 'gateway-prometheus-'));
    url = `http://127.0.0.1:${await freePort()}`;
    await writeFile(join(folder, 'prometheus.yml'), await configFor(new URL(chat.gateway.url).host));
    const at = ['--config.file', join(folder, 'prometheus.yml'), '--storage.tsdb.path', join(folder, 'data')];
    child = spawn(program ?? '', [...at, '--web.listen-address', new URL(url).host, '--log.level=warn'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await eventually(async () => (await query('count_over_time(up[1m])').catch(() => [])).length > 0, 30_000);
    for (let scrape = 0; scrape < SCRAPES; scrape++) {
      for (const script of [completion(), stream(), refusal(500)]) chat.upstream.enqueue(script);
      await (await chat.ask()).text();
      await (await chat.ask({ stream: true })).text();
      await (await chat.ask()).text();
      const [seen] = await query('sum(gateway_calls_total)');
      await eventually(async () => (await query('sum(gateway_calls_total)'))[0]?.value[1] !== seen?.value[1], 10_000);
    }
  });
  afterAll(async () => {
    if (child?.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  async function query(expression: string): Promise<{ metric: object; value: [number, string] }[]> {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const body = (await response.json()) as { status: string; error?: string; data: { result: [] } };
    if (body.status !== 'success') throw new Error(`${expression}: ${body.error}`);
    return body.data.result;
  }

  it('accepts the configuration and the rules without errors', async () => {
    const tool = join(program ?? '', '../promtool');
    await run(tool, ['check', 'config', join(folder, 'prometheus.yml')]);
    const { stdout } = await run(tool, ['check', 'rules', 'deploy/alerts/gateway.rules.yml']);
    expect(stdout).toContain('SUCCESS');
  });

  it('scrapes the gateway, evaluates every alert, and fires none for a healthy one', async () => {
    expect(await query('up')).toMatchObject([{ value: [expect.anything(), '1'] }]);
    const reply = await (await fetch(`${url}/api/v1/rules`)).json();
    const { groups } = (reply as { data: { groups: { rules: { name: string; health: string }[] }[] } }).data;
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(await query('ALERTS{alertstate="firing"}')).toEqual([]);
  });

  it('answers every query of the dashboard, and has data for all panels but those about limits', async () => {
    expect(queries.length).toBeGreaterThan(0);
    const empty: string[] = [];
    for (const [title, expr] of queries) {
      const filledIn = expr.replaceAll('$__rate_interval', '1m').replace(/=~"\$\w+"/g, '=~".*"');
      const found = await query(filledIn);
      if (found.length === 0 && !EMPTY.includes(title)) empty.push(`${title}: ${expr}`);
    }
    expect(empty).toEqual([]);
  });
});
