import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { type Download, download } from '../lists/download.js';
import { COLUMNS, toFilter, toRow, toView } from './audit-entry.js';
import type { AuditExportQuery } from './dto/audit-query.dto.js';

/** The audit log as a file. */
@Injectable()
export class AuditExportService {
  constructor(
    private readonly audit: AuditService,
    private readonly log: AuditLogService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** The export is recorded too: it is the newest entry of the file. */
  async begin({ format, ...query }: AuditExportQuery, actor: Actor): Promise<Download> {
    await this.audit.record(this.dataSource.manager, actor, {
      action: 'audit.export',
      target: { kind: 'export', id: null, name: 'audit log' },
      after: { format, filter: { ...query } },
    });
    const day = new Date().toISOString().slice(0, 10);
    const batches = this.log.batches(toFilter(query));
    return download(`audit-${day}`, format, { batches, columns: COLUMNS, toCells: toRow, toJson: toView });
  }
}
