import { Module } from '@nestjs/common';
import { InstanceService } from './instance.service.js';
import { RefusalsService } from './refusals.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';
import { UsagePartitionsService } from './usage-partitions.service.js';

/** What calls were made and what they cost: only a gateway keeps this, a command-line tool does not. */
@Module({
  providers: [InstanceService, UsageLedgerService, UsagePartitionsService, RefusalsService],
  exports: [UsageLedgerService, RefusalsService],
})
export class UsageModule {}
