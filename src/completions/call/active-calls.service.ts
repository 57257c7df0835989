import { Injectable } from '@nestjs/common';
import type { GatewayError } from '../../common/gateway.error.js';
import { Slots, type Slotted } from '../../common/slots.js';
import { MetricsService } from '../../telemetry/metrics/metrics.service.js';

export interface ActiveCall extends Slotted {
  /** The id of the call's ledger row. */
  readonly id: string;
  cutOff(error: GatewayError): void;
}

/** The calls in progress in this process: a shutdown waits for them and, in the end, aborts them. */
@Injectable()
export class ActiveCallsService {
  private readonly calls = new Slots<ActiveCall>();
  private idle: (() => void)[] = [];
  private refusal: GatewayError | undefined;

  constructor(metrics: MetricsService) {
    metrics.gauge('gateway_calls_in_flight', 'Calls in progress.', () => this.calls.size);
  }

  enter(call: ActiveCall): void {
    this.calls.add(call);
  }

  /** Called when the row is closed. */
  leave(call: ActiveCall): void {
    this.calls.remove(call);
    if (this.calls.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  async finished(): Promise<void> {
    if (this.calls.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  assertOpen(): void {
    if (this.refusal) throw this.refusal;
  }

  /** Refuses new calls; calls in progress continue. */
  refuse(error: GatewayError): void {
    this.refusal = error;
  }

  get ids(): string[] {
    return Array.from(this.calls, ({ id }) => id);
  }

  fail(ids: ReadonlySet<string>, error: GatewayError): number {
    const lost = Array.from(this.calls).filter(({ id }) => ids.has(id));
    for (const call of lost) call.cutOff(error);
    return lost.length;
  }

  failAll(error: GatewayError): void {
    for (const call of this.calls) call.cutOff(error);
  }
}
