import { Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Actor } from '../../audit/audit.types.js';
import { AuditLogService, cursorOfEntry } from '../../audit/audit-log.service.js';
import { sendDownload } from '../lists/download.js';
import { itemsThatFit } from '../lists/items-that-fit.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { toFilter, toView } from './audit-entry.js';
import { AuditExportService } from './audit-export.service.js';
import { AuditPageView } from './dto/audit-entry.view.js';
import { AuditExportQuery, AuditQuery } from './dto/audit-query.dto.js';

const PAGE = 50;

@ConsoleController('audit', 'Audit log', 'admin')
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
