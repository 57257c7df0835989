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
  enter(ownerId: string): GatewayError | null {
    const now = performance.now();
    const reason = this.reasonAgainst(ownerId, now);
    if (reason !== null) {
      this.refused[reason]++;
      this.places.shed(ownerId, now);
      if (reason === 'queue') this.queue.shed();
      return OVERLOADED;
    }
    this.places.take(ownerId);
    this.recent.take(ownerId, now);
    this.queue.enter();
    return null;
  }

  /** Frees the place of a call that has ended. */
  leave(ownerId: string): void {
    this.places.release(ownerId);
  }

  private reasonAgainst(ownerId: string, now: number): ShedReason | null {
    if (!this.places.hasRoom(ownerId)) return 'calls';
    const reason = this.overloadReason();
    return reason !== null && this.recent.isBelowShare(ownerId, now) ? null : reason;
  }

  private overloadReason(): ShedReason | null {
    if (this.delay.now > this.settings.overload.maxLoopDelay) return 'loop_delay';
    return this.queue.isFull ? 'queue' : null;
  }
}

/** An owner whose call was refused within this time counts as waiting. */
const WAITING_MS = 1000;

/**
 * Places for concurrent calls: `most` in this process, and at most half of them for one owner (a project, or else a user)
 * while another waits.
 */
export class CallPlaces {
  private taken = 0;
  private readonly takenByOwner = new Map<string, number>();
  /** The two owners whose calls were refused last. */
  private lastShed: Shed | null = null;
  private otherShed: Shed | null = null;

  constructor(private readonly most: () => number | null) {}

  get underWay(): number {
    return this.taken;
  }

  hasRoom(ownerId: string): boolean {
    const most = this.most();
    if (most === null) return true;
    if (this.taken >= most) return false;
    const own = this.takenByOwner.get(ownerId) ?? 0;
    return own === 0 || own + 1 <= most / 2 || !this.isAnotherWaiting(ownerId);
  }

  take(ownerId: string): void {
    this.taken++;
    this.takenByOwner.set(ownerId, (this.takenByOwner.get(ownerId) ?? 0) + 1);
    this.renew(ownerId);
  }

  release(ownerId: string): void {
    this.taken--;
    const left = (this.takenByOwner.get(ownerId) ?? 0) - 1;
    if (left > 0) this.takenByOwner.set(ownerId, left);
    else this.takenByOwner.delete(ownerId);
  }

  /** Records that a call of this owner was refused. */
  shed(ownerId: string, now: number): void {
    if (this.lastShed?.ownerId !== ownerId) this.otherShed = this.lastShed;
    this.lastShed = { ownerId, at: now };
  }

  /** Keeps the place of a refused owner who has called again: otherwise others would take it. */
  private renew(ownerId: string): void {
    const shed = this.lastShed?.ownerId === ownerId ? this.lastShed : this.otherShed;
    if (shed?.ownerId !== ownerId) return;
    const now = performance.now();
    if (now - shed.at <= WAITING_MS) shed.at = now;
  }

  private isAnotherWaiting(ownerId: string): boolean {
    const other = this.lastShed?.ownerId === ownerId ? this.otherShed : this.lastShed;
    return other !== null && performance.now() - other.at <= WAITING_MS;
  }
}

interface Shed {
  readonly ownerId: string;
  /** When it was refused, or admitted within a second after that. */
  at: number;
}

/** Calls count for one to two of these periods. */
const PERIOD_MS = 500;
/** The owners share at least this many calls: while nearly all calls are refused, the average says little. */
const MIN_SHARED = 200;

/** Counts the recently admitted calls of each owner, to find those below their share. */
export class RecentCalls {
  private admitted = 0;
  private admittedBefore = 0;
  private byOwner = new Map<string, number>();
  private byOwnerBefore = new Map<string, number>();
  /** Owners that called in one of both periods. */
  private owners = 0;
  private since = 0;

  /** Records an admitted call. */
  take(ownerId: string, at: number): void {
    this.turn(at);
    this.admitted++;
    this.add(ownerId, 1);
  }

  /**
   * Whether other owners call, too, and had more calls admitted on average. Records that the owner calls. Admitting all such
   * calls is safe: they end once all had equally many, so they at most double the admitted calls of a second.
   */
  isBelowShare(ownerId: string, at: number): boolean {
    this.turn(at);
    this.add(ownerId, 0);
    const own = (this.byOwner.get(ownerId) ?? 0) + (this.byOwnerBefore.get(ownerId) ?? 0);
    const shared = Math.max(MIN_SHARED, this.admitted + this.admittedBefore);
    return this.owners > 1 && (own + 1) * this.owners <= shared;
  }

  private add(ownerId: string, calls: number): void {
    const known = this.byOwner.get(ownerId);
    if (known === undefined && !this.byOwnerBefore.has(ownerId)) this.owners++;
    this.byOwner.set(ownerId, (known ?? 0) + calls);
  }

  private turn(at: number): void {
    if (at - this.since < PERIOD_MS) return;
    this.byOwnerBefore = this.byOwner;
    this.admittedBefore = this.admitted;
    this.byOwner = new Map();
    this.admitted = 0;
    this.owners = this.byOwnerBefore.size;
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
