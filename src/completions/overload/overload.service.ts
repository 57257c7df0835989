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

/** One for all, and never thrown: to make an error costs as much as to read a request's head, and to throw it as much again. */
const OVERLOADED = overloaded();

type ShedReason = 'calls' | 'queue' | 'loop_delay';

/** Turns new calls away while there is more to do than this process can, so that those under way go on. */
@Injectable()
export class OverloadService {
  private readonly places = new CallPlaces(() => this.settings.overload.maxCalls);
  private readonly recent = new RecentCalls();
  private readonly turnedAway = { calls: 0, loop_delay: 0, queue: 0 };

  constructor(
    private readonly delay: LoopDelay,
    private readonly queue: OwnQueue,
    private readonly bodies: BodyBudget,
    @InjectSettings() private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    const help =
      'Calls that were turned away, by what there was too much of: calls, queue, loop_delay or buffered_bytes.';
    metrics.counter('gateway_shed_total', help, 'reason', () => this.shed);
  }

  /** Calls from their admission to the end of their answer. */
  get callsUnderWay(): number {
    return this.places.underWay;
  }

  /** How many calls were turned away so far, by what there was too much of. */
  get shed(): Readonly<Record<'calls' | 'queue' | 'loop_delay' | 'buffered_bytes', number>> {
    return { ...this.turnedAway, buffered_bytes: this.bodies.shed };
  }

  /** Takes a place for a call, until `leave`; a 503 where there is none. To be asked before its body is read. */
  enter(keyId: string): GatewayError | null {
    const now = performance.now();
    const reason = this.reasonAgainst(keyId, now);
    if (reason !== null) {
      this.turnedAway[reason]++;
      this.places.shed(keyId);
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
    return reason !== null && this.recent.takeForShare(keyId, now) ? null : reason;
  }

  private tooMuch(): ShedReason | null {
    if (this.delay.now > this.settings.overload.maxLoopDelay) return 'loop_delay';
    return this.queue.isFull ? 'queue' : null;
  }
}
