/** The process of independent callers: the bench sends an arrival rate, and it reports the results. */
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { JsonCheck } from './expectations.ts';
import { HttpAnswer } from './load.ts';
import { answerQuestions } from './questions.ts';
import { requestBody } from './traffic.ts';

interface Call {
  answer: HttpAnswer;
  check: JsonCheck;
  text: string;
  resolve: (isServed: boolean) => void;
  reject: (error: Error) => void;
}

/** A connection for single calls that accepts rejection as an answer. */
class OneCallConnection {
  isUsable = true;
  readonly #socket: Socket;
  #call: Call | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (data: Buffer) => this.#receive(data));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => this.#fail(new Error('the server closed the connection')));
  }

  /** True if served, false if rejected. @throws for any other answer. */
  call(request: Buffer): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const check = new JsonCheck();
      const call: Call = { check, text: '', resolve, reject, answer: new HttpAnswer((data) => take(call, data)) };
      this.#call = call;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(data: Buffer): void {
    const call = this.#call;
    try {
      if (!call) throw new Error('unexpected bytes');
      call.answer.push(data);
      if (!call.answer.isWhole) return;
      const isServed = call.answer.status === 200;
      if (isServed) call.check.end();
      else if (call.answer.status !== 503 || !call.text.includes('"overloaded"'))
        throw new Error(`${call.answer.status} ${call.text}`);
      this.#call = undefined;
      call.resolve(isServed);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** A failed or closed connection is not reused. */
  #fail(error: Error): void {
    this.isUsable = false;
    this.#socket.destroy();
    this.#call?.reject(error);
    this.#call = undefined;
  }
}

function take(call: Call, data: Buffer): void {
  if (call.answer.status === 200) call.check.push(data);
  else call.text += data.toString('latin1');
}

export interface ArrivalPlan {
  port: number;
  /** The bearer key. */
  key: string;
  callsPerSecond: number;
  seconds: number;
  /** The rate rises over this time first; these calls only count if they are answered wrongly. */
  rampSeconds: number;
}

export interface ArrivalFigures {
  arrived: number;
  served: number;
  /** 503 `overloaded`, with Retry-After. */
  shed: number;
  /** Arrived while so many calls waited that no further connection was opened. */
  unsent: number;
  /** From arrival to the end of the answer, for served calls. */
  p50Ms: number;
  p99Ms: number;
  /** Between the last arrival and the last answer. */
  tailMs: number;
  errors: number;
  firstError: string | null;
}

const MAX_CONNECTIONS = 4000;
const PATIENCE_MS = 30_000;
const US_PER_MS = 1000;

async function run({ port, key, callsPerSecond, seconds, rampSeconds }: ArrivalPlan): Promise<ArrivalFigures> {
  const request = requestBytes(port, key);
  const idle: OneCallConnection[] = [];
  const open = new Set<OneCallConnection>();
  const wrong = { errors: 0, firstError: null as string | null };
  let counted = noCalls();
  let waiting = 0;
  const begin = async (): Promise<void> => {
    const arrivedAt = performance.now();
    const calls = counted;
    calls.arrived++;
    if (waiting >= MAX_CONNECTIONS) {
      calls.unsent++;
      return;
    }
    // The gateway closes connections that were not used for a while.
    let connection = idle.pop();
    while (connection && !connection.isUsable) connection = idle.pop();
    connection ??= new OneCallConnection(port);
    open.add(connection);
    waiting++;
    try {
      const served = await connection.call(request);
      calls[served ? 'served' : 'shed']++;
      if (served) calls.latency.record(Math.max(1, Math.round((performance.now() - arrivedAt) * US_PER_MS)));
    } catch (error) {
      wrong.errors++;
      wrong.firstError ??= String(error);
    }
    waiting--;
    if (connection.isUsable) idle.push(connection);
    else open.delete(connection);
  };
  const arrive = async (forSeconds: number, dueAfter: (second: number) => number): Promise<void> => {
    const beganAt = performance.now();
    const required = dueAfter(forSeconds);
    for (let arrived = 0; arrived < required; await sleep(1)) {
      const due = Math.min(required, dueAfter((performance.now() - beganAt) / 1000));
      for (; arrived < due; arrived++) void begin();
    }
  };
  await arrive(rampSeconds, (second) => (callsPerSecond * second ** 2) / (2 * rampSeconds));
  counted = noCalls();
  await arrive(seconds, (second) => callsPerSecond * second);
  const endedAt = performance.now();
  while (waiting > 0 && performance.now() - endedAt < PATIENCE_MS) await sleep(1);
  const tailMs = performance.now() - endedAt;
  for (const connection of open) connection.close();
  const { latency, ...calls } = counted;
  return {
    ...calls,
    errors: wrong.errors + waiting,
    firstError: wrong.firstError,
    p50Ms: latency.percentile(50) / US_PER_MS,
    p99Ms: latency.percentile(99) / US_PER_MS,
    tailMs,
  };
}

function noCalls() {
  return { arrived: 0, served: 0, shed: 0, unsent: 0, latency: createHistogram() };
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
