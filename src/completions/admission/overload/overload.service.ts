import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type GatewayError, overloaded } from '../../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../../config/settings.js';
import { BodyBudget } from '../../../http/body/request-body.js';
import { noteError, sendError } from '../../../http/exception.filter.js';
import { MetricsService } from '../../../telemetry/metrics.service.js';
import { InternalQueue, LoopDelay } from './internal-queue.js';

/** Made once and never thrown: making an error costs as much as reading a request's head, and throwing it as much again. */
const OVERLOADED = overloaded();

type ShedReason = 'calls' | 'queue' | 'loop_delay';

/** Refuses new calls while this process is overloaded, so that running calls finish in time. See README.md. */
@Injectable()
export class OverloadService {
  private readonly places = new CallPlaces(() => this.settings.overload.maxCalls);
  private readonly recent = new RecentCalls();
  private readonly refused = { calls: 0, loop_delay: 0, queue: 0 };

  constructor(
    private readonly delay: LoopDelay,
    private readonly queue: InternalQueue,
    private readonly bodies: BodyBudget,
    @InjectSettings() private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    const help = 'Refused calls, by reason: calls, queue, loop_delay or buffered_bytes.';
    metrics.counter('gateway_shed_total', help, 'reason', () => this.shed);
  }

  /** Admitted calls whose answer has not ended. */
  get callsUnderWay(): number {
    return this.places.underWay;
  }

  /** Refused calls so far, by reason. */
  get shed(): Readonly<Record<'calls' | 'queue' | 'loop_delay' | 'buffered_bytes', number>> {
    return { ...this.refused, buffered_bytes: this.bodies.shed };
  }

  /** Takes a place for a call, until `leave`, or returns a 503. Call it before the body is read. */
  enter(keyId: string): GatewayError | null {
    const now = performance.now();
    const reason = this.reasonAgainst(keyId, now);
    if (reason !== null) {
      this.refused[reason]++;
      this.places.shed(keyId, now);
      if (reason === 'queue') this.queue.shed();
      return OVERLOADED;
    }
    this.places.take(keyId);
    this.recent.take(keyId, now);
    this.queue.enter();
    return null;
  }

  /** Frees the place of a call that has ended. */
  leave(keyId: string): void {
    this.places.release(keyId);
  }

  private reasonAgainst(keyId: string, now: number): ShedReason | null {
    if (!this.places.hasRoom(keyId)) return 'calls';
    const reason = this.overloadReason();
    return reason !== null && this.recent.isBelowShare(keyId, now) ? null : reason;
  }

  private overloadReason(): ShedReason | null {
    if (this.delay.now > this.settings.overload.maxLoopDelay) return 'loop_delay';
    return this.queue.isFull ? 'queue' : null;
  }
}

/** A key whose call was refused within this time counts as waiting. */
const WAITING_MS = 1000;

/** Places for concurrent calls: `most` in this process, and at most half of them for one key while another key waits. */
export class CallPlaces {
  private taken = 0;
  private readonly takenByKey = new Map<string, number>();
  /** The two keys whose calls were refused last. */
  private lastShed: Shed | null = null;
  private otherShed: Shed | null = null;

  constructor(private readonly most: () => number | null) {}

  get underWay(): number {
    return this.taken;
  }

  hasRoom(keyId: string): boolean {
    const most = this.most();
    if (most === null) return true;
    if (this.taken >= most) return false;
    const own = this.takenByKey.get(keyId) ?? 0;
    return own === 0 || own + 1 <= most / 2 || !this.isAnotherWaiting(keyId);
  }

  take(keyId: string): void {
    this.taken++;
    this.takenByKey.set(keyId, (this.takenByKey.get(keyId) ?? 0) + 1);
    this.renew(keyId);
  }

  release(keyId: string): void {
    this.taken--;
    const left = (this.takenByKey.get(keyId) ?? 0) - 1;
    if (left > 0) this.takenByKey.set(keyId, left);
    else this.takenByKey.delete(keyId);
  }

  /** Records that a call of this key was refused. */
  shed(keyId: string, now: number): void {
    if (this.lastShed?.keyId !== keyId) this.otherShed = this.lastShed;
    this.lastShed = { keyId, at: now };
  }

  /** Keeps the place of a refused key that has called again: otherwise others would take it. */
  private renew(keyId: string): void {
    const shed = this.lastShed?.keyId === keyId ? this.lastShed : this.otherShed;
    if (shed?.keyId !== keyId) return;
    const now = performance.now();
    if (now - shed.at <= WAITING_MS) shed.at = now;
  }

  private isAnotherWaiting(keyId: string): boolean {
    const other = this.lastShed?.keyId === keyId ? this.otherShed : this.lastShed;
    return other !== null && performance.now() - other.at <= WAITING_MS;
  }
}

interface Shed {
  readonly keyId: string;
  /** When it was refused, or admitted within a second after that. */
  at: number;
}

/** Calls count for one to two of these periods. */
const PERIOD_MS = 500;
/** The keys share at least this many calls: while nearly all calls are refused, the average says little. */
const MIN_SHARED = 200;

/** Counts the recently admitted calls of each key, to find keys below their share. */
export class RecentCalls {
  private admitted = 0;
  private admittedBefore = 0;
  private byKey = new Map<string, number>();
  private byKeyBefore = new Map<string, number>();
  /** Keys that called in one of both periods. */
  private keys = 0;
  private since = 0;

  /** Records an admitted call. */
  take(keyId: string, at: number): void {
    this.turn(at);
    this.admitted++;
    this.add(keyId, 1);
  }

  /**
   * Whether other keys call, too, and had more calls admitted on average. Records that the key calls. Admitting all such
   * calls is safe: they end once all keys had equally many, so they at most double the admitted calls of a second.
   */
  isBelowShare(keyId: string, at: number): boolean {
    this.turn(at);
    this.add(keyId, 0);
    const own = (this.byKey.get(keyId) ?? 0) + (this.byKeyBefore.get(keyId) ?? 0);
    const shared = Math.max(MIN_SHARED, this.admitted + this.admittedBefore);
    return this.keys > 1 && (own + 1) * this.keys <= shared;
  }

  private add(keyId: string, calls: number): void {
    const known = this.byKey.get(keyId);
    if (known === undefined && !this.byKeyBefore.has(keyId)) this.keys++;
    this.byKey.set(keyId, (known ?? 0) + calls);
  }

  private turn(at: number): void {
    if (at - this.since < PERIOD_MS) return;
    this.byKeyBefore = this.byKey;
    this.admittedBefore = this.admitted;
    this.byKey = new Map();
    this.admitted = 0;
    this.keys = this.byKeyBefore.size;
    this.since = at;
  }
}

/** Sent before the turn ends, so that no caller waits for the end of a long one. */
const MAX_GATHERED = 128;

interface Refusal {
  readonly response: Response;
  readonly error: GatewayError;
}

/** Sends the refusals of one turn of the event loop together at its end. See README.md. */
export class GatheredRefusals {
  private gathered: Refusal[] = [];

  send(response: Response, refusal: GatewayError): void {
    const count = this.gathered.push({ response, error: noteError(response.req, refusal) });
    if (count === 1) setImmediate(() => this.sendGathered());
    if (count === MAX_GATHERED) this.sendGathered();
  }

  private sendGathered(): void {
    const { gathered } = this;
    this.gathered = [];
    for (const { response, error } of gathered) sendError(response, error);
  }
}
