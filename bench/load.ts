/** The load generator's process: the bench sends a load, and it reports the results. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BodyCheck, JsonCheck, StreamCheck } from './expectations.ts';
import { LoadConnection, type LoadEvents } from './load-connection.ts';
import { answerQuestions } from './questions.ts';
import { isStreamed, type RequestKind, requestBody } from './requests.ts';
import type { Format } from './traffic.ts';

export interface LoadPlan {
  port: number;
  /** The bearer key. */
  key: string;
  connections: number;
  request: RequestKind;
  /** Of the upstream's answers. */
  upstream: Format;
  /** Of the requests and the expected answers. */
  format: Format;
  /** Asks the bare proxy to parse and serialise the body. */
  parses?: boolean;
}

export interface RunPlan {
  /** Requests are sent for this long, at least one on each connection; the run ends with the last answer. */
  seconds: number;
  /** The connections start evenly over this time. */
  rampMs: number;
}

/** The results of a run. Latency: to the last byte of a JSON answer, to the first of a stream. */
export interface LoadFigures {
  seconds: number;
  requests: number;
  /** Chunks of streams, without the end marker. */
  events: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  firstError: string | null;
}

const US_PER_MS = 1000;
const PATHS: Record<Format, string> = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  responses: '/v1/responses',
};
const VERSION = 'anthropic-version: 2023-06-01\r\n';

class Load {
  readonly #connections: LoadConnection[];
  readonly #latency: RecordableHistogram = createHistogram();
  #requests = 0;
  #events = 0;
  #errors = 0;
  #firstError: string | null = null;

  constructor(plan: LoadPlan) {
    const request = requestBytes(plan);
    const streamed = isStreamed(plan.request);
    const newCheck = streamed
      ? (): BodyCheck => new StreamCheck(plan.format, () => this.#events++)
      : (): BodyCheck => new JsonCheck(plan.format);
    const events: LoadEvents = {
      newCheck,
      onAnswer: (firstByteMs, totalMs) => this.#record(streamed ? firstByteMs : totalMs),
      onError: (error) => this.#fail(error),
    };
    this.#connections = Array.from({ length: plan.connections }, () => new LoadConnection(plan.port, request, events));
  }

  async open(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.open()));
  }

  async run({ seconds, rampMs }: RunPlan): Promise<LoadFigures> {
    const beganAt = performance.now();
    const until = beganAt + seconds * 1000;
    await Promise.all(
      this.#connections.map(async (connection, i) => {
        await sleep((i * rampMs) / this.#connections.length);
        await connection.run(until);
      }),
    );
    return {
      seconds: (performance.now() - beganAt) / 1000,
      requests: this.#requests,
      events: this.#events,
      p50Ms: this.#latency.percentile(50) / US_PER_MS,
      p99Ms: this.#latency.percentile(99) / US_PER_MS,
      errors: this.#errors,
      firstError: this.#firstError,
    };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #record(latencyMs: number): void {
    this.#requests++;
    this.#latency.record(Math.max(1, Math.round(latencyMs * US_PER_MS)));
  }

  #fail(error: Error): void {
    this.#errors++;
    this.#firstError ??= error.message;
  }
}

function requestBytes({ port, key, request, upstream, format, parses = false }: LoadPlan): Buffer {
  const body = requestBody(request, upstream, format);
  return Buffer.from(
    `POST ${PATHS[format]} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: bench\r\naccept: */*\r\n` +
      `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n${format === 'anthropic' ? VERSION : ''}${parses ? 'x-parse: 1\r\n' : ''}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

let load: Load | undefined;

answerQuestions({
  open: (plan: LoadPlan) => {
    load = new Load(plan);
    return load.open();
  },
  run: (plan: RunPlan) => load?.run(plan),
  close: () => load?.close(),
});
process.channel?.ref();
