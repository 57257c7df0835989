import { Controller, Get, Header } from '@nestjs/common';
import { serviceUnavailable } from '../common/gateway.errors.js';
import { ReadinessService } from './readiness.service.js';

/** For orchestrators and load balancers; needs no key and tells nothing else. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The process runs; says nothing of what it depends on. */
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return { status: 'ok' };
  }

  /**
   * A call that came now could open and close its row in the ledger in time; 503 too from the beginning of a shutdown on.
   * With a `warning` where the calls of some users cannot.
   */
  @Get('ready')
  @Header('cache-control', 'no-store')
  ready() {
    const reason = this.readiness.reasonAgainst();
    if (reason !== null) throw serviceUnavailable(reason);
    const warning = this.readiness.warning();
    return { status: 'ok', ...(warning !== null && { warning }) };
  }
}
