/** The load generator's process: the bench sends a load, and it reports the results. */
import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BodyCheck, JsonCheck, StreamCheck } from './expectations.ts';
import { answerQuestions } from './questions.ts';
import { type Format, isStreamed, type RequestKind, requestBody } from './traffic.ts';

const CRLF_LENGTH = 2;

/** Parses an HTTP/1.1 response as it arrives: the head, then the body's bytes without chunk framing. */
export class HttpAnswer {
  /** 0 until the head has arrived. */
  status = 0;
  isWhole = false;
  readonly #onBody: (data: Buffer) => void;
  #pending: Buffer | undefined;
  #isChunked = false;
  #isLastChunk = false;
  /** Remaining bytes of the body, or of the current chunk and its CRLF. */
  #left = 0;

  /** `onBody` gets the body in arbitrary pieces. */
  constructor(onBody: (data: Buffer) => void) {
    this.#onBody = onBody;
  }

  /** @throws if the bytes are not an HTTP response of known length. */
  push(data: Buffer): void {
    const received = this.#pending ? Buffer.concat([this.#pending, data]) : data;
    this.#pending = undefined;
    if (this.status > 0) this.#readBody(received);
    else this.#readHead(received);
  }

  #readHead(data: Buffer): void {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0) {
      this.#pending = data;
      return;
    }
    const head = data.toString('latin1', 0, end).toLowerCase();
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    this.#isChunked = head.includes('\r\ntransfer-encoding: chunked');
    if (!head.startsWith('http/1.1 ') || (length === undefined && !this.#isChunked)) throw new Error(`head: ${head}`);
    this.status = Number(head.slice(9, 12));
    this.#left = Number(length ?? 0);
    this.#readBody(data.subarray(end + 4));
  }

  #readBody(data: Buffer): void {
    if (this.isWhole) throw new Error('bytes after the end of the answer');
    if (this.#isChunked) this.#readChunks(data);
    else {
      this.#onBody(data);
      this.#left -= data.length;
      this.isWhole = this.#left <= 0;
    }
  }

  #readChunks(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      const next = this.#left > 0 ? this.#readChunkPart(data, at) : this.#readChunkSize(data, at);
      if (next === at) break;
      at = next;
    }
    if (at < data.length) this.#pending = data.subarray(at);
  }

  /** Where the chunk begins, or `at` while the line is incomplete. */
  #readChunkSize(data: Buffer, at: number): number {
    const end = data.indexOf('\r\n', at);
    if (end < 0) return at;
    const size = Number.parseInt(data.toString('latin1', at, end), 16);
    if (Number.isNaN(size) || this.isWhole) throw new Error('missing chunk size');
    this.#isLastChunk = size === 0;
    this.#left = size + CRLF_LENGTH;
    return end + CRLF_LENGTH;
  }

  #readChunkPart(data: Buffer, at: number): number {
    const taken = Math.min(this.#left, data.length - at);
    const body = Math.min(taken, this.#left - CRLF_LENGTH);
    if (body > 0) this.#onBody(data.subarray(at, at + body));
    this.#left -= taken;
    this.isWhole = this.#isLastChunk && this.#left === 0;
    return at + taken;
  }
}

interface LoadEvents {
  newCheck: () => BodyCheck;
  /** Milliseconds from the request to the first and the last byte of the answer. */
  onAnswer: (firstByteMs: number, totalMs: number) => void;
  onError: (error: Error) => void;
}

/** A keep-alive connection that sends its request again after each answer. */
class LoadConnection {
  readonly #port: number;
  readonly #request: Buffer;
  readonly #events: LoadEvents;
  #socket: Socket | undefined;
  #check: BodyCheck | undefined;
  #answer: HttpAnswer | undefined;
  /** The body of an error answer. */
  #refusal = '';
  #sentAt = 0;
  #firstByteAt = 0;
  #until = 0;
  #onIdle: (() => void) | undefined;

  constructor(port: number, request: Buffer, events: LoadEvents) {
    this.#port = port;
    this.#request = request;
    this.#events = events;
  }

  open(): Promise<void> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    socket.on('data', (data: Buffer) => this.#receive(data));
    socket.on('error', (error) => this.#fail(error));
    socket.on('end', () => this.#fail(new Error('the server closed the connection')));
    return new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  }

  /** Resolves with the last answer; sends at least one request, and none after `until` (`performance.now()`). */
  run(until: number): Promise<void> {
    this.#until = until;
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#send();
    });
  }

  close(): void {
    this.#socket?.removeAllListeners();
    this.#socket?.on('error', () => {});
    this.#socket?.destroy();
  }

  #next(): void {
    if (performance.now() < this.#until) this.#send();
    else this.#onIdle?.();
  }

  #send(): void {
    const check = this.#events.newCheck();
    this.#check = check;
    this.#refusal = '';
    const answer = new HttpAnswer((data) => {
      if (answer.status === 200) check.push(data);
      else this.#refusal += data.toString();
    });
    this.#answer = answer;
    this.#firstByteAt = 0;
    this.#sentAt = performance.now();
    this.#socket?.write(this.#request);
  }

  #receive(data: Buffer): void {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    const answer = this.#answer;
    if (!answer) return;
    try {
      answer.push(data);
      if (answer.isWhole) this.#finish(answer.status);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #finish(status: number): void {
    if (status !== 200) throw new Error(`status ${status}: ${this.#refusal}`);
    this.#check?.end();
    this.#events.onAnswer(this.#firstByteAt - this.#sentAt, performance.now() - this.#sentAt);
    this.#answer = undefined;
    this.#next();
  }

  /** A failed connection is not reused. */
  #fail(error: Error): void {
    this.#events.onError(error);
    this.#answer = undefined;
    this.close();
    this.#onIdle?.();
  }
}

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
