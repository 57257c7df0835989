import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chatRequest, connections } from '../support/bare-client.js';
import { chunkOf } from '../support/chat-answers.js';
import { CoreShare } from '../support/core-share.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { LiveProbe } from '../support/live-probe.js';
import { metricOf, readMetrics } from '../support/metrics-text.js';
import { chunk, head, type Step } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';

const STREAMS = 50;
const WHILE_MS = 5000;
/** The timeout of an orchestrator's probe, for a gateway with its own core. */
const QUICK_MS = 1000;
const TYPICAL_MS = 300;
/** Many small events that would take seconds. */
const EVENTS = Buffer.from(`data: ${JSON.stringify(chunkOf({ content: 'x' }))}\n\n`.repeat(300));

describe('upstreams that send endlessly and fast', () => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayProcess;
  let clients: Socket[] = [];
  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    gateway = await GatewayProcess.start({
      env: { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    });
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
  });

  it('delay neither health probes nor each other', async () => {
    const endless: Step = async (wire) => {
      while (!wire.gone) await chunk(EVENTS)(wire);
    };
    upstream.always(() => [
      head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }),
      endless,
    ]);
    const key = await gateway.createKey();
    clients = await connections(gateway.url, STREAMS);
    const question = { model: 'gpt-6-luna', stream: true, messages: [{ role: 'user', content: 'Go on.' }] };
    const { head: top, body } = chatRequest(key, question);
    const received = clients.map(() => 0);
    for (const [index, client] of clients.entries()) {
      client.on('data', (data) => {
        received[index] = (received[index] ?? 0) + data.length;
      });
      client.write(top + body);
    }
    await eventually(() => received.every((bytes) => bytes > EVENTS.length), 60_000);
    const before = [...received];
    const [probe, share] = [new LiveProbe(gateway.url), new CoreShare(gateway.child.pid)];
    await delay(WHILE_MS);
    const { part } = share;
    const { wrong, slowestMs, medianMs, answers } = await probe.stop();
    expect({ wrong, isQuick: slowestMs * part < QUICK_MS, slowestMs, part }).toMatchObject({
      wrong: [],
      isQuick: true,
    });
    expect(medianMs * part).toBeLessThan(TYPICAL_MS);
    expect(answers).toBeGreaterThan((WHILE_MS / QUICK_MS) * part);
    const gained = received.map((bytes, index) => bytes - (before[index] ?? 0));
    expect(Math.min(...gained)).toBeGreaterThan(0);
    for (const client of clients) client.destroy();
    await eventually(async () => {
      const metrics = readMetrics(await (await fetch(`${gateway.url}/metrics`)).text());
      return metricOf(metrics, 'gateway_calls_in_flight') === 0;
    });
  }, 150_000);
});
