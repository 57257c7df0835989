import { Module } from '@nestjs/common';
import { MetricsModule } from '../telemetry/metrics/metrics.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { LimitsService } from './limits.service.js';

@Module({
  imports: [UsageModule, MetricsModule],
  providers: [LimitsService],
  exports: [LimitsService],
})
export class LimitsModule {}
