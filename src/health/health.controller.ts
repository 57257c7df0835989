import { Controller, Get, Header } from '@nestjs/common';
import { serviceUnavailable } from '../common/gateway.errors.js';
import { ReadinessService } from './readiness.service.js';

/** For orchestrators and load balancers; needs no key and reveals nothing else. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The process runs; says nothing about its dependencies. */
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return { status: 'ok' };
  }

  /**
   * A new call could open and close its row in the ledger in time. 503 also from the start of a shutdown. With a
   * `warning` if the calls of some users cannot.
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
