import { Module } from '@nestjs/common';
import { UsageModule } from '../usage/usage.module.js';
import { LimitsService } from './limits.service.js';

@Module({
  imports: [UsageModule],
  providers: [LimitsService],
  exports: [LimitsService],
})
export class LimitsModule {}
