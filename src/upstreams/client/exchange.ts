import type { Socket } from 'node:net';
import { Observable, type Subscriber, type TeardownLogic } from 'rxjs';
import type { Dispatcher } from 'undici';
import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import type { UpstreamError } from '../contract/upstream.error.js';
import type { Flow, OutboundRequest, UpstreamResponse } from '../contract/upstream.types.js';
import { type ClockName, ExchangeClock } from './exchange.clock.js';
import { clockRanOut, connectionFailed } from './exchange.faults.js';
import { type Reading, ReadTurns } from './read-all.js';

/** After the subscriber has left, the body may end within this time (ms) and size, which keeps the connection. */
const LINGER = 50;
const LINGER_BYTES = 64 * 1024;

/** Shared by all exchanges, as it is never read. */
const ABORTED = new Error('The exchange was aborted.');

/** Shared by all upstreams of the process. */
const turns = new ReadTurns();

/**
 * One request and its response; converts undici's callbacks to Observables. `caller` gets the head, then the subscriber
 * of the body takes over. The current subscriber can abort the exchange by unsubscribing.
 */
export class Exchange implements Dispatcher.DispatchHandler, Flow, Reading {
  private stage: 'connecting' | 'head' | 'body' | 'over' = 'connecting';
  private readonly clock: ExchangeClock;
  private controller: Dispatcher.DispatchController | null = null;
  private socket: Socket | null = null;
  private reader: Subscriber<Buffer> | null = null;
  private isDelivering = false;
  /** Whether the client has paused reading. */
  private isReserved = false;
  /** Whether other exchanges have used up this turn of the event loop. */
  private isWaiting = false;
  /** Data read after the turn was used up. */
  private buffered: Buffer[] = [];
  private lingering: NodeJS.Timeout | undefined;
  /** Bytes received without a subscriber. */
  private unread = 0;

  constructor(
    private readonly request: OutboundRequest,
    private readonly caller: Subscriber<UpstreamResponse>,
  ) {
    const { clocks, deadline, streamed } = request;
    this.clock = new ExchangeClock(clocks, deadline, streamed, this);
  }

  /** False if the deadline has passed. */
  start(): boolean {
    if (this.clock.start()) return true;
    this.ranOut('total');
    return false;
  }

  /** Called when the caller unsubscribes. After the head, this has no effect. */
  callerLeft(): void {
    if (this.stage === 'connecting' || this.stage === 'head') this.abort();
  }

  ranOut(clock: ClockName): void {
    this.fail(clockRanOut(clock));
  }

  connectingOn(socket: Socket): void {
    this.socket = socket;
  }

  pause(): void {
    if (this.stage !== 'body') return;
    this.isReserved = true;
    this.clock.pause();
    this.controller?.pause();
  }

  resume(): void {
    if (this.stage !== 'body') return;
    this.isReserved = false;
    this.clock.resume();
    if (!this.isWaiting) this.controller?.resume();
  }

  resumeReading(): void {
    this.isWaiting = false;
    this.deliverBuffered();
    if (this.stage === 'body' && !this.isReserved && !this.isWaiting) this.controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.socket = null;
    if (this.stage === 'over') {
      controller.abort(ABORTED);
      return;
    }
    this.stage = 'head';
    this.clock.connected();
    this.request.onSent?.();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    // Raw headers are views of the read buffer and would keep it in memory until the response ends.
    controller.rawHeaders = null;
    if (status < 200 || this.stage === 'over') return;
    this.stage = 'body';
    this.clock.headSeen(this.request.streamed && status < 400);
    const body = new Observable<Buffer>((reader) => this.readBy(reader));
    this.caller.next({ status, headers, body, flow: this, eventSeen: () => this.clock.eventSeen() });
    if (this.reader === null) this.abort();
    this.caller.complete();
  }

  onResponseData(_controller: Dispatcher.DispatchController, data: Buffer): void {
    if (this.reader === null) {
      this.unread += data.length;
      if (this.unread > LINGER_BYTES) this.abort();
      return;
    }
    this.clock.pieceSeen();
    if (this.isWaiting || turns.isOver) this.keep(data);
    else this.deliver(data);
  }

  onResponseEnd(): void {
    this.isWaiting = false;
    this.deliverBuffered();
    if (this.stage === 'over') return;
    this.close();
    this.reader?.complete();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.deliverBuffered();
    if (this.stage === 'over') return;
    this.fail(connectionFailed(error, this.stage === 'body'));
  }

  private keep(data: Buffer): void {
    this.buffered.push(data);
    if (this.isWaiting) return;
    turns.wait(this);
    this.giveWay();
  }

  private deliver(data: Buffer): void {
    this.isDelivering = true;
    this.reader?.next(data);
    this.isDelivering = false;
    if (!turns.take(data.length, this)) this.giveWay();
  }

  private deliverBuffered(): void {
    const { buffered } = this;
    if (buffered.length === 0) return;
    this.buffered = [];
    if (this.stage === 'body') this.deliver(buffered.length === 1 ? (buffered[0] as Buffer) : Buffer.concat(buffered));
  }

  private giveWay(): void {
    this.isWaiting = true;
    this.controller?.pause();
  }

  private readBy(reader: Subscriber<Buffer>): TeardownLogic {
    if (this.stage !== 'body' || this.reader !== null) {
      return reader.error(new Error('Subscribe to an upstream body once, when its head is emitted.'));
    }
    this.reader = reader;
    return () => this.readerLeft();
  }

  private readerLeft(): void {
    if (this.stage === 'over') return;
    if (this.isDelivering) this.linger();
    else this.abort();
  }

  /** Lets the body end, so that the connection can be reused. */
  private linger(): void {
    this.reader = null;
    this.resume();
    this.lingering = setTimeout(() => this.abort(), LINGER);
  }

  private fail(error: UpstreamError): void {
    const receiver = this.stage === 'body' ? this.reader : this.caller;
    this.abort();
    receiver?.error(error);
  }

  private abort(): void {
    this.close();
    this.controller?.abort(ABORTED);
    this.socket?.destroy(ABORTED);
  }

  private close(): void {
    this.stage = 'over';
    this.buffered = [];
    this.clock.stop();
    clearTimeout(this.lingering);
  }
}
