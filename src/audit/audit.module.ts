import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import { AuditLogService } from './audit-log.service.js';

/** The audit log: written with every change, read by administrators. */
@Module({ providers: [AuditService, AuditLogService], exports: [AuditService, AuditLogService] })
export class AuditModule {}
