import { Controller, Get, Header } from '@nestjs/common';
import { serviceUnavailable } from '../common/gateway.error.js';
import { ReadinessService } from './readiness.service.js';

/** For orchestrators and load balancers. Needs no key and reveals nothing else. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Whether the process runs; does not check its dependencies. */
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return { status: 'ok' };
  }

  /**
   * Whether a new call could open and close its row in the ledger in time. Also 503 from the start of a shutdown. Has a
   * `warning` if the calls of some users cannot be opened.
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
