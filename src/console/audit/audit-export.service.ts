import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor, AuditEntry } from '../../audit/audit.types.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { csvHead, csvRow } from '../lists/csv.js';
import { COLUMNS, toFilter, toRow, toView } from './audit-entry.js';
import type { AuditExportQuery } from './dto/audit-query.dto.js';

export interface AuditExport {
  /** The text of the file, in pieces. */
  readonly text: AsyncGenerator<string>;
  readonly contentType: string;
  readonly fileName: string;
}

/** The audit log as a file, read from the database as fast as the client consumes it. */
@Injectable()
export class AuditExportService {
  constructor(
    private readonly audit: AuditService,
    private readonly log: AuditLogService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** The export is recorded too: it is the newest entry of the file. */
  async begin({ format, ...query }: AuditExportQuery, actor: Actor): Promise<AuditExport> {
    await this.audit.record(this.dataSource.manager, actor, {
      action: 'audit.export',
      target: { kind: 'export', id: null, name: 'audit log' },
      after: { format, filter: { ...query } },
    });
    const batches = this.log.batches(toFilter(query));
    const fileName = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
    return format === 'csv'
      ? { text: csvText(batches), contentType: 'text/csv; charset=utf-8', fileName }
      : { text: jsonText(batches), contentType: 'application/json; charset=utf-8', fileName };
  }
}

async function* csvText(batches: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  for await (const entries of batches) yield entries.map((entry) => csvRow(toRow(entry))).join('');
}

async function* jsonText(batches: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  let start = '[\n';
  for await (const entries of batches) {
    yield start + entries.map((entry) => JSON.stringify(toView(entry))).join(',\n');
    start = ',\n';
  }
  yield start === '[\n' ? '[]\n' : '\n]\n';
}
