import { Injectable } from '@nestjs/common';
import type { GatewayError } from '../../common/gateway.error.js';
import { overloaded } from '../../common/gateway.errors.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { BodyBudget } from '../../http/body/body-budget.js';
import { MetricsService } from '../../telemetry/metrics/metrics.service.js';
import { CallPlaces } from './call-places.js';
import { LoopDelay } from './loop-delay.js';
import { OwnQueue } from './own-queue.js';
import { RecentCalls } from './recent-calls.js';

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
    private readonly queue: OwnQueue,
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
    const reason = this.tooMuch();
    return reason !== null && this.recent.isBelowShare(keyId, now) ? null : reason;
  }

  private tooMuch(): ShedReason | null {
    if (this.delay.now > this.settings.overload.maxLoopDelay) return 'loop_delay';
    return this.queue.isFull ? 'queue' : null;
  }
}
