import { Injectable } from '@nestjs/common';
import type { GatewayError } from '../../common/gateway.error.js';
import { Slots, type Slotted } from '../../common/slots.js';
import { MetricsService } from '../../telemetry/metrics/metrics.service.js';

/** A call under way, as far as it can be ended from outside. */
export interface ActiveCall extends Slotted {
  /** Its row's. */
  readonly id: string;
  cutOff(error: GatewayError): void;
}

/** The calls under way in this process, so that a shutdown can wait for them and, in the end, cut them off. */
@Injectable()
export class ActiveCallsService {
  private readonly calls = new Slots<ActiveCall>();
  private idle: (() => void)[] = [];
  private refusal: GatewayError | undefined;

  constructor(metrics: MetricsService) {
    metrics.gauge('gateway_calls_in_flight', 'Calls under way.', () => this.calls.size);
  }

  enter(call: ActiveCall): void {
    this.calls.add(call);
  }

  /** Its row is closed. */
  leave(call: ActiveCall): void {
    this.calls.remove(call);
    if (this.calls.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  /** Resolves when no call is under way. */
  async finished(): Promise<void> {
    if (this.calls.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Throws once `refuse` was called. */
  assertOpen(): void {
    if (this.refusal) throw this.refusal;
  }

  /** From now on no call begins any more; those under way go on. */
  refuse(error: GatewayError): void {
    this.refusal = error;
  }

  get ids(): string[] {
    return Array.from(this.calls, ({ id }) => id);
  }

  /** Ends the calls with these ids with an error; returns how many. */
  fail(ids: ReadonlySet<string>, error: GatewayError): number {
    const lost = Array.from(this.calls).filter(({ id }) => ids.has(id));
    for (const call of lost) call.cutOff(error);
    return lost.length;
  }

  /** Ends every call with an error. */
  failAll(error: GatewayError): void {
    for (const call of this.calls) call.cutOff(error);
  }
}
