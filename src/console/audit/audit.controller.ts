import { Get, Injectable, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import type { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { AuditLogService, cursorOfEntry } from '../../audit/audit-log.service.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentActor } from '../session/current-session.js';
import { type Download, download, sendDownload } from '../shared/download.js';
import { itemsThatFit } from '../shared/lists.js';
import { AuditExportQuery, AuditPageView, AuditQuery, COLUMNS, toFilter, toRow, toView } from './audit.view.js';

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

const PAGE = 50;

@ConsoleController('audit', 'Audit log', ['audit.read', 'all'])
export class AuditController {
  constructor(
    private readonly log: AuditLogService,
    private readonly exports: AuditExportService,
  ) {}

  @Get()
  @Returns(AuditPageView, 'Who changed what, newest first')
  async list(@Query() { cursor, ...query }: AuditQuery): Promise<AuditPageView> {
    const { items, next } = await this.log.page(toFilter(query), cursor ?? null, PAGE);
    const views = itemsThatFit(items.map(toView));
    const last = views.at(-1);
    return { items: views, next: last && views.length < items.length ? cursorOfEntry(last) : next };
  }

  @Get('actions')
  @Returns([String], 'The recent actions of the log')
  actions(): Promise<string[]> {
    return this.log.actions();
  }

  @Get('export')
  @ApiOperation({ summary: 'All matching entries as a file; the export is recorded as an entry' })
  @ApiProduces('text/csv', 'application/json')
  async export(
    @Query() query: AuditExportQuery,
    @CurrentActor() actor: Actor,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(response, await this.exports.begin(query, actor));
  }
}
