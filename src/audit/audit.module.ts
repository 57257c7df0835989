import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import { AuditChainService } from './audit-chain.service.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditRedactionsService } from './audit-redactions.service.js';

/** The audit log: written with every change, chained by hashes, read by administrators. */
@Module({
  providers: [AuditChainService, AuditRedactionsService, AuditService, AuditLogService],
  exports: [AuditChainService, AuditRedactionsService, AuditService, AuditLogService],
})
export class AuditModule {}
