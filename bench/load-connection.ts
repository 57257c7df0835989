import { connect, type Socket } from 'node:net';
import type { BodyCheck } from './expectations.ts';
import { HttpAnswer } from './http-answer.ts';

export interface LoadEvents {
  newCheck: () => BodyCheck;
  /** Milliseconds from the request to the first and the last byte of the answer. */
  onAnswer: (firstByteMs: number, totalMs: number) => void;
  onError: (error: Error) => void;
}

/** A keep-alive connection that sends its request again after each answer. */
export class LoadConnection {
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
