import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsService } from './metrics.service.js';

@Injectable()
export class LimitMetricsService {
  private readonly refusals: Counter<'kind' | 'scope'>;

  constructor({ registry }: MetricsService) {
    this.refusals = new Counter({
      name: 'gateway_limit_refusals_total',
      help: 'Calls that got a 429, by the kind of the limit and its scope.',
      labelNames: ['kind', 'scope'],
      registers: [registry],
    });
  }

  /** `kind`: a limit's name; `scope`: plan, user, key or project. */
  refused(kind: string, scope: string): void {
    this.refusals.inc({ kind, scope });
  }
}
