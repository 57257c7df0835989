/** Polls a gateway's liveness; on `stop` it sends the results. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;

const url = String(process.argv[2]);
const wrong: string[] = [];
const took: number[] = [];
let isStopped = false;

process.once('message', () => {
  isStopped = true;
});
process.once('disconnect', () => process.exit());

while (!isStopped) {
  await ask().catch((error: unknown) => wrong.push(String(error)));
  await sleep(EVERY_MS);
}
took.sort((one, other) => one - other);
const medianMs = took[took.length >> 1] ?? 0;
process.send?.({ wrong, slowestMs: took.at(-1) ?? 0, medianMs, answers: took.length }, () => process.disconnect?.());

/** On a new connection each time, like orchestrators. */
async function ask(): Promise<void> {
  const requestedAt = performance.now();
  const sent = request(url, { agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  took.push(performance.now() - requestedAt);
  if (response.statusCode !== 200) wrong.push(`status ${response.statusCode}`);
}
