import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { CacheUsageService } from './cache-usage.service.js';
import { CachedAnswersService } from './cached-answers.service.js';

/** Answers that equal calls get again. */
@Module({
  imports: [LedgerModule, MetricsModule],
  providers: [CacheUsageService, CachedAnswersService],
  exports: [CacheUsageService, CachedAnswersService],
})
export class CacheModule {}
