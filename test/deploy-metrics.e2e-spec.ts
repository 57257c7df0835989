import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { readMetrics } from './support/metrics-text.js';
import { metricsOf } from './support/promql.js';

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

interface Panel {
  title: string;
  description?: string;
  targets?: { expr: string }[];
}

interface Dashboard {
  panels: Panel[];
  templating: { list: { type: string; name: string; definition?: string }[] };
}

/** What Prometheus adds to what it scrapes. */
const ADDED = ['job', 'instance'];

const { groups } = parse(await readFile('deploy/alerts/gateway.rules.yml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(await readFile('deploy/grafana/gateway.json', 'utf8')) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));
const operations = await readFile('docs/operations.md', 'utf8');

/** Pages of the console that runbooks name, too. */
const PAGES = ['Requests', 'Usage'];

/** Metric → its labels, as a gateway that has served calls shows them. */
const shown = new Map<string, Set<string>>();

beforeAll(async () => {
  const chat = await ChatTest.start();
  for (const script of [completion(), stream(), refusal(500)]) chat.upstream.enqueue(script);
  await (await chat.ask()).text();
  await (await chat.ask({ stream: true })).text();
  await (await chat.ask()).text();
  const limits = { requestsPerMinute: 1 };
  await chat.gateway.services.get(ApiKeysService).update({ id: chat.free.key.id }, { limits }, GATEWAY);
  chat.upstream.always(() => completion());
  await eventually(async () => (await chat.gateway.complete(chat.free, QUESTION)).status === 429);
  // Prometheus' own, of each target.
  shown.set('up', new Set());
  // Only with DATABASE_READ_URL.
  shown.set('gateway_replica_lag_seconds', new Set());
  for (const { name, labels } of readMetrics(await (await chat.gateway.get('/metrics')).text())) {
    shown.set(name, new Set([...(shown.get(name) ?? []), ...Object.keys(labels)]));
  }
});

/** Grafana fills its variables in before Prometheus sees the query. */
function filledIn(query: string): string {
  return query.replaceAll('$__rate_interval', '5m').replace(/\$\w+/g, 'filled');
}

/** The metrics of a query that the gateway does not have, and the labels that its metrics do not have. */
function unknownIn(query: string): string[] {
  return metricsOf(query).flatMap(({ name, labels }) => unknownOf(name, labels));
}

function unknownOf(name: string, labels: readonly string[]): string[] {
  const own = shown.get(name);
  if (!own) return [name];
  return labels.filter((label) => !own.has(label) && !ADDED.includes(label)).map((label) => `${name}{${label}}`);
}

describe('the alert rules', () => {
  it('each read metrics and labels that the gateway has', () => {
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.map(({ alert, expr }) => [alert, unknownIn(expr)])).toEqual(rules.map(({ alert }) => [alert, []]));
    expect(rules.filter(({ expr }) => metricsOf(expr).length === 0)).toEqual([]);
  });

  it('each name only labels in their texts that their query keeps', () => {
    const missing = rules.map((rule) => {
      const named = Object.values(rule.annotations).flatMap((text) =>
        [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
      );
      const stored = metricsOf(rule.expr).flatMap(({ labels }) => [
        ...labels,
        ...(/ by /.test(rule.expr) ? [] : ADDED),
      ]);
      return [rule.alert, named.filter((label) => !stored.includes(label))];
    });
    expect(missing).toEqual(rules.map(({ alert }) => [alert, []]));
  });

  it('each have a runbook, and each runbook has an alert', () => {
    const headings = [...operations.matchAll(/^### (Gateway\w+)$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    }
  });
});

describe('the dashboard', () => {
  it('reads metrics and labels that the gateway has, in every panel', () => {
    expect(panels.length).toBeGreaterThan(0);
    const unknown = panels.map(([title, expr]) => [title, unknownIn(filledIn(expr))]);
    expect(unknown).toEqual(panels.map(([title]) => [title, []]));
  });

  it('offers values of existing metrics for its variables', () => {
    const choices = dashboard.templating.list.filter(({ type }) => type === 'query');
    expect(choices.map(({ name }) => name)).toEqual(['job', 'model', 'upstream']);
    for (const { definition } of choices) {
      const [, name = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition ?? '') ?? [];
      expect(unknownOf(name, [label])).toEqual([]);
    }
  });

  it('has a panel of every name that the runbooks write in italics, and names every alert about outages', () => {
    const runbooks = operations.slice(operations.indexOf('## Runbooks'));
    const named = [...runbooks.matchAll(/(?<![*\w])\*([A-Z][\w ]+)\*(?!\*)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    const titles = dashboard.panels.map(({ title }) => title);
    const isShown = (name = '') => PAGES.includes(name) || titles.some((title) => title.split(',')[0] === name);
    expect(named.filter((name) => !isShown(name))).toEqual([]);
    const descriptions = dashboard.panels.map(({ description }) => description).join('\n');
    for (const alert of ['AnswersFailing', 'NotReady', 'JournalWaiting', 'ServingWithoutDatabase', 'ReplicaLagging']) {
      expect(rules.map((rule) => rule.alert)).toContain(`Gateway${alert}`);
      expect(descriptions).toContain(`Gateway${alert}`);
    }
  });

  it('counts calls that were refused with a 503 as failing', () => {
    const [failing] = panels.filter(([title]) => title === 'Failing');
    expect(failing?.[1].match(/code="service_unavailable"/g)).toHaveLength(2);
    expect(failing?.[1].match(/gateway_shed_total/g)).toHaveLength(2);
  });

  it('uses no undefined variable', () => {
    const names = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name]) => name);
    const known = ['__rate_interval', '__all', ...dashboard.templating.list.map(({ name }) => name)];
    expect(known).toEqual(expect.arrayContaining([...new Set(names)]));
  });
});

it('an invalid query, an unknown metric and an unknown label would be found', () => {
  expect(unknownIn('sum by (colour) (gateway_calls_totals) + up{colour="red", job="a"}')).toEqual([
    'gateway_calls_totals',
    'up{colour}',
  ]);
  expect(() => metricsOf('sum(rate(gateway_calls_total[5m])')).toThrow('no query');
  expect(metricsOf('sum by (upstream) (rate(a{b="c"}[5m])) > on (x) group_left () d')).toEqual([
    { name: 'a', labels: ['b', 'upstream'] },
    { name: 'd', labels: [] },
  ]);
});
