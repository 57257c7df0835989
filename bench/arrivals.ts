/**
 * The process of callers who do not wait for each other: told by the bench how many calls a second arrive, it answers with
 * what became of them.
 */
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { OneCallConnection } from './one-call-connection.ts';
import { answerQuestions } from './questions.ts';
import { requestBody } from './requests.ts';

export interface ArrivalPlan {
  port: number;
  /** The bearer key. */
  key: string;
  callsPerSecond: number;
  seconds: number;
}

export interface ArrivalFigures {
  arrived: number;
  served: number;
  /** 503 and `overloaded`, with Retry-After. */
  shed: number;
  /** Arrived while so many waited that no further connection was made. */
  unsent: number;
  /** From its arrival to the end of its answer, of calls that were served. */
  p50Ms: number;
  p99Ms: number;
  /** Between the last arrival and the last answer. */
  tailMs: number;
  errors: number;
  firstError: string | null;
}

const MOST_CONNECTIONS = 4000;
const PATIENCE_MS = 30_000;
const US_PER_MS = 1000;

async function run({ port, key, callsPerSecond, seconds }: ArrivalPlan): Promise<ArrivalFigures> {
  const request = requestBytes(port, key);
  const latency = createHistogram();
  const idle: OneCallConnection[] = [];
  const open = new Set<OneCallConnection>();
  const figures = { arrived: 0, served: 0, shed: 0, unsent: 0, errors: 0, firstError: null as string | null };
  let waiting = 0;
  const begin = async (): Promise<void> => {
    const arrivedAt = performance.now();
    const connection = idle.pop() ?? new OneCallConnection(port);
    open.add(connection);
    waiting++;
    try {
      const served = await connection.call(request);
      figures[served ? 'served' : 'shed']++;
      if (served) latency.record(Math.max(1, Math.round((performance.now() - arrivedAt) * US_PER_MS)));
    } catch (error) {
      figures.errors++;
      figures.firstError ??= String(error);
    }
    waiting--;
    if (connection.isUsable) idle.push(connection);
    else open.delete(connection);
  };
  const beganAt = performance.now();
  const wanted = callsPerSecond * seconds;
  while (figures.arrived < wanted) {
    const due = Math.min(wanted, ((performance.now() - beganAt) / 1000) * callsPerSecond);
    for (; figures.arrived < due; figures.arrived++) {
      if (waiting < MOST_CONNECTIONS) void begin();
      else figures.unsent++;
    }
    await sleep(1);
  }
  const endedAt = performance.now();
  while (waiting > 0 && performance.now() - endedAt < PATIENCE_MS) await sleep(1);
  const tailMs = performance.now() - endedAt;
  for (const connection of open) connection.close();
  return {
    ...figures,
    errors: figures.errors + waiting,
    p50Ms: latency.percentile(50) / US_PER_MS,
    p99Ms: latency.percentile(99) / US_PER_MS,
    tailMs,
  };
}

function requestBytes(port: number, key: string): Buffer {
  const body = requestBody('json', 'openai');
  return Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: bench\r\naccept: */*\r\n` +
      `authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

answerQuestions({ run });
process.channel?.ref();
