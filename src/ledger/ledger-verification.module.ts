import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { LedgerRepairService } from './ledger-repair.service.js';
import { LedgerVerificationService } from './ledger-verification.service.js';

/** For the command line. */
@Module({
  imports: [AuditModule],
  providers: [LedgerRepairService, LedgerVerificationService],
  exports: [LedgerRepairService, LedgerVerificationService],
})
export class LedgerVerificationModule {}
