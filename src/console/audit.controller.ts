import { applyDecorators, Get, Injectable, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { Response } from 'express';
import type { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor, AuditEntry } from '../audit/audit.types.js';
import { type AuditFilter, AuditLogService, cursorOfEntry } from '../audit/audit-log.service.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { CurrentActor } from './session/current-session.js';
import { type CsvValue, type Download, download, sendDownload } from './shared/download.js';
import { IsInstant, OptionalChoice } from './shared/fields.js';
import { itemsThatFit } from './shared/lists.js';
import { TextOrNull } from './shared/views.js';

const ACTOR_KINDS = ['user', 'command_line', 'gateway', 'nobody'] as const;
const TARGET_KINDS = [
  'user',
  'key',
  'token',
  'plan',
  'project',
  'session',
  'upstream',
  'export',
  'call',
  'cache',
] as const;
const VALUES = { type: 'object', additionalProperties: true, nullable: true } as const;

export class AuditActorView {
  @ApiProperty({ enum: ACTOR_KINDS })
  kind!: (typeof ACTOR_KINDS)[number];

  @TextOrNull()
  id!: string | null;

  @ApiProperty({ description: 'The e-mail address of a user.' })
  name!: string;
}

export class AuditTargetView {
  @ApiProperty({ enum: TARGET_KINDS })
  kind!: (typeof TARGET_KINDS)[number];

  @TextOrNull()
  id!: string | null;

  @ApiProperty()
  name!: string;
}

/** One change: the actor, the action, the old and new values, the address and the time. It contains no secrets. */
class AuditEntryView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  at!: Date;

  @ApiProperty()
  actor!: AuditActorView;

  @ApiProperty({ example: 'key.create' })
  action!: string;

  @ApiProperty()
  target!: AuditTargetView;

  @ApiProperty(VALUES)
  before!: Record<string, unknown> | null;

  @ApiProperty(VALUES)
  after!: Record<string, unknown> | null;

  @TextOrNull()
  address!: string | null;

  @TextOrNull()
  requestId!: string | null;
}

/** Newest first. */
export class AuditPageView {
  @ApiProperty({ type: [AuditEntryView] })
  items!: AuditEntryView[];

  @TextOrNull('The `cursor` of the next page.')
  next!: string | null;
}

export function toFilter({ from, to, q: text, ...fields }: AuditFilterQuery): AuditFilter {
  return { ...fields, text, from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
}

export function toView({ actor, ...entry }: AuditEntry): AuditEntryView {
  const { address, requestId, ...who } = actor;
  return { ...entry, actor: who, address, requestId };
}

/** The header row of an exported CSV. */
export const COLUMNS = [
  'at',
  'actor',
  'actor_kind',
  'actor_id',
  'action',
  'target_kind',
  'target_id',
  'target',
  'before',
  'after',
  'address',
  'request_id',
  'id',
] as const;

export function toRow({ id, at, actor, action, target, before, after }: AuditEntry): CsvValue[] {
  const { kind, id: actorId, name, address, requestId } = actor;
  const what = [target.kind, target.id, target.name, toText(before), toText(after)];
  return [at, name, kind, actorId, action, ...what, address, requestId, id];
}

function toText(values: object | null): string | null {
  return values && JSON.stringify(values);
}

function FilterText(description: string, example?: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, ...(example !== undefined && { example }) }),
    IsOptional(),
    IsString(),
    MaxLength(200),
    Matches(/^[^\0]*$/, { message: '$property must be text' }),
  );
}

function FilterInstant(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ description, format: 'date-time' }), IsOptional(), IsInstant());
}

/** Filters of the audit log. */
class AuditFilterQuery {
  @FilterInstant('Entries from this time on.')
  from?: string;

  @FilterInstant('Entries before this time.')
  to?: string;

  @FilterText('The actor: a user’s id, or part of the name.', 'admin@example.com')
  actor?: string;

  @FilterText('An action, or a kind of actions.', 'key.create')
  action?: string;

  @FilterText('A kind of target, or one target by its id.', 'user:1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed')
  target?: string;

  @FilterText('Part of the actor, action, target, address or request id.')
  q?: string;
}

export class AuditQuery extends AuditFilterQuery {
  @FilterText('`next` of the previous page.')
  cursor?: string;
}

export const AUDIT_FORMATS = ['csv', 'json'] as const;

export class AuditExportQuery extends AuditFilterQuery {
  @OptionalChoice(AUDIT_FORMATS, { default: 'csv' })
  format: (typeof AUDIT_FORMATS)[number] = 'csv';
}

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
