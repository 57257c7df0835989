/**
 * An upstream that answers every POST immediately, with JSON or a paced stream, from precomputed bytes. Raw sockets
 * keep its cost far below that of the servers under test.
 */
import { createServer, type Socket } from 'node:net';
import { answerQuestions } from './questions.ts';
import {
  anthropicAnswer,
  anthropicEvents,
  type Format,
  HOLD_MARK,
  jsonAnswer,
  responsesAnswer,
  responsesEvents,
  streamEvents,
} from './traffic.ts';

/** Streams that have sent half of their frames, and send the rest when released. */
class PausedStreams {
  readonly #firstHalf: Buffer;
  readonly #secondHalf: Buffer;
  readonly #sockets = new Set<Socket>();

  constructor(frames: Buffer[]) {
    const middle = frames.length / 2;
    this.#firstHalf = Buffer.concat(frames.slice(0, middle));
    this.#secondHalf = Buffer.concat(frames.slice(middle));
  }

  get size(): number {
    return this.#sockets.size;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.write(this.#firstHalf);
  }

  release(): void {
    for (const socket of this.#sockets) socket.write(this.#secondHalf);
    this.#sockets.clear();
  }
}

interface Stream {
  socket: Socket;
  frames: Buffer[];
  sent: number;
}

/**
 * Writes the frames of many streams, the first immediately and then one every `paceMs` to each. Streams are spread
 * evenly over the pace, and late ticks are made up for, so that the load is even and exact.
 */
class StreamPacer {
  readonly #paceMs: number;
  readonly #slots: Set<Stream>[];
  #startedAt = 0;
  #tick = 0;
  #added = 0;

  constructor(paceMs: number) {
    this.#paceMs = paceMs;
    this.#slots = Array.from({ length: paceMs }, () => new Set<Stream>());
  }

  start(): void {
    this.#startedAt = performance.now();
    setInterval(() => this.#catchUp(), 1);
  }

  add(socket: Socket, frames: Buffer[]): void {
    socket.write(frames[0] ?? '');
    this.#slots[this.#added++ % this.#slots.length]?.add({ socket, frames, sent: 1 });
  }

  #catchUp(): void {
    const due = Math.floor(performance.now() - this.#startedAt);
    this.#tick = Math.max(this.#tick, due - this.#paceMs);
    while (this.#tick < due) this.#writeSlot(++this.#tick % this.#slots.length);
  }

  #writeSlot(index: number): void {
    const slot = this.#slots[index];
    if (!slot) return;
    for (const stream of slot) {
      const frame = stream.socket.destroyed ? undefined : stream.frames[stream.sent++];
      if (frame) stream.socket.write(frame);
      else slot.delete(stream);
    }
  }
}

const COMMON_HEADERS = 'x-request-id: req_5f0c1d2e3a4b\r\nopenai-processing-ms: 12\r\nopenai-version: 2020-10-01\r\n';
const STREAM_HEAD = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n${COMMON_HEADERS}transfer-encoding: chunked\r\n\r\n`;
const REFUSAL = Buffer.from('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');

const WHOLE: Record<Format, Buffer> = {
  openai: jsonResponse(jsonAnswer),
  anthropic: jsonResponse(anthropicAnswer()),
  responses: jsonResponse(responsesAnswer()),
};
const FRAMES: Record<Format, Buffer[]> = {
  openai: streamFrames(streamEvents()),
  anthropic: streamFrames(anthropicEvents()),
  responses: streamFrames(responsesEvents()),
};

const pacer = new StreamPacer(Number(process.env.BENCH_PACE_MS));
pacer.start();
const paused = new PausedStreams(FRAMES.openai);

function jsonResponse(body: string): Buffer {
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${COMMON_HEADERS}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** One for each event; the first includes the head, the last the end of the body. */
function streamFrames(events: string[]): Buffer[] {
  const chunks = events.map(httpChunk);
  const first = Buffer.concat([Buffer.from(STREAM_HEAD), ...chunks.splice(0, 1)]);
  const last = Buffer.concat([...chunks.splice(-1), Buffer.from('0\r\n\r\n')]);
  return [first, ...chunks, last];
}

function httpChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

function serve(socket: Socket): void {
  let received: Buffer[] = [];
  let left: number | null = null;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data: Buffer) => {
    received.push(data);
    if (left === null) left = bytesLeft(Buffer.concat(received));
    else left -= data.length;
    if (left === null || left > 0) return;
    const request = received.length === 1 ? data : Buffer.concat(received);
    received = [];
    left = null;
    answer(socket, request);
  });
}

function answer(socket: Socket, request: Buffer): void {
  if (!startsWith(request, 'POST ')) socket.write(REFUSAL);
  else if (!request.includes('"stream":true')) socket.write(WHOLE[formatOf(request)]);
  else if (request.includes(HOLD_MARK)) paused.add(socket);
  else pacer.add(socket, FRAMES[formatOf(request)]);
}

function formatOf(request: Buffer): Format {
  if (startsWith(request, 'POST /v1/messages')) return 'anthropic';
  return startsWith(request, 'POST /v1/responses') ? 'responses' : 'openai';
}

function startsWith(request: Buffer, text: string): boolean {
  return request.toString('latin1', 0, text.length) === text;
}

/** Remaining bytes of the request, or null while its head is incomplete. */
function bytesLeft(received: Buffer): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /content-length: *(\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  return end + 4 + Number(length ?? 0) - received.length;
}

const server = createServer(serve);
/** Enough for thousands of connections opened at once. */
const BACKLOG = 4096;
const listening = new Promise<void>((resolve) => {
  server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, resolve);
});

answerQuestions({
  async port() {
    await listening;
    const address = server.address();
    return typeof address === 'object' ? address?.port : undefined;
  },
  paused: () => paused.size,
  release: () => paused.release(),
});
