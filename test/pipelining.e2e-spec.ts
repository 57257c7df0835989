import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { GatewayProcess } from './support/gateway-process.js';

const COUNT = 20_000;
const REQUEST = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
const PATIENCE_MS = 50;

const gateway = await GatewayProcess.start({ env: { SIMULATOR: 'on' } });

/** Sends pipelined requests without a key, and counts the answers. */
async function flood(): Promise<number> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let answers = 0;
  let last = '';
  socket.on('data', (data) => {
    const text = last + data.toString('latin1');
    answers += text.split('HTTP/1.1 401').length - 1;
    last = text.slice(-'HTTP/1.1 40'.length);
    if (answers >= COUNT) socket.end();
  });
  socket.write(REQUEST.repeat(COUNT));
  await once(socket, 'close');
  return answers;
}

describe('a client that pipelines thousands of requests without a key', () => {
  it('gets all its answers, and delays nobody else', async () => {
    let isOver = false;
    const answers = flood().finally(() => {
      isOver = true;
    });
    const waits: number[] = [];
    while (!isOver) {
      const startedMs = performance.now();
      await (await fetch(`${gateway.url}/health/live`)).text();
      waits.push(performance.now() - startedMs);
    }
    expect(await answers).toBe(COUNT);
    waits.sort((one, other) => one - other);
    expect(waits.length).toBeGreaterThan(5);
    expect(waits[Math.floor(waits.length * 0.9)]).toBeLessThan(PATIENCE_MS);
  });
});
