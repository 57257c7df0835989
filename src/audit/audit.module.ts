import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import { AuditChainService } from './audit-chain.service.js';
import { AuditLogService } from './audit-log.service.js';

/** The audit log: written with every change, chained by hashes, read by administrators. */
@Module({
  providers: [AuditChainService, AuditService, AuditLogService],
  exports: [AuditChainService, AuditService, AuditLogService],
})
export class AuditModule {}
