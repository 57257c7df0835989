import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../accounts/user.types.js';
import type { UsageQuestion, UsageRequestFilter } from '../../usage/usage.types.js';
import { UsageReportsService } from '../../usage/usage-reports.service.js';
import { UsageRequestsService } from '../../usage/usage-requests.service.js';
import { type CsvValue, type Download, download } from '../shared/download.js';
import { insufficientPermissions } from '../shared/validation.js';
import { ConsoleUsageService } from './console-usage.service.js';
import type { UsageExportQuery } from './usage-query.dto.js';
import { NO_GROUP, toTotalsView } from './usage-report.view.js';
import { toQuestion, toRequestFilter, UsageScopeService } from './usage-scope.service.js';

type Row = Readonly<Record<string, CsvValue>>;

const SUMS = [
  'requests',
  'running',
  'errors',
  'aborted',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'costUsd',
  'costNanodollars',
  'p50TotalMs',
  'p95TotalMs',
  'p50FirstTokenMs',
  'p95FirstTokenMs',
  'succeeded',
  'refused',
  'simulated',
  'timed',
] as const;

/** The header rows of the files. They are documented: do not rename columns, and add new ones at the end. */
const COLUMNS = {
  report: ['start', 'groupBy', 'group', 'label', 'detail', ...SUMS],
  calls: [
    'startedAt',
    'id',
    'requestId',
    'keyId',
    'keyName',
    'keyDisplay',
    'userId',
    'userName',
    'model',
    'upstream',
    'upstreamModel',
    'simulated',
    'status',
    'stream',
    'finishReason',
    'errorCode',
    'inputTokens',
    'cachedTokens',
    'outputTokens',
    'reasoningTokens',
    'tokenSource',
    'costUsd',
    'costNanodollars',
    'firstTokenMs',
    'totalMs',
    'api',
    'httpStatus',
    'message',
    'projectName',
    'answerId',
    'upstreamStatus',
  ],
} as const;

/** Usage as a file of any length. */
@Injectable()
export class UsageExportService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly requests: UsageRequestsService,
    private readonly usage: ConsoleUsageService,
    private readonly scope: UsageScopeService,
  ) {}

  /** Throws if the query is refused; nothing is read before the first line is consumed. */
  async begin({ kind, format, ...asked }: UsageExportQuery, session: Viewer): Promise<Download> {
    const permission = kind === 'report' ? 'usage.read' : 'requests.read';
    if (!session.rights.hasScope(permission)) throw insufficientPermissions(permission);
    const query = await this.scope.resolved(asked, session, permission);
    const question = toQuestion(query, session);
    const batches = kind === 'report' ? this.reportRows(question) : this.callRows(toRequestFilter(query, session));
    const columns = COLUMNS[kind];
    const day = (iso: string) => new Date(iso).toISOString().slice(0, 10);
    return download(`usage-${kind}-${day(query.from)}-${day(query.to)}`, format, {
      batches,
      columns,
      toCells: (row) => columns.map((column) => row[column] ?? null),
      toJson: (row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
    });
  }

  private async *reportRows(question: UsageQuestion): AsyncGenerator<Row[]> {
    const groupBy = question.groupBy ?? 'none';
    for await (const points of this.reports.points(question)) {
      const labelOf = await this.usage.labelsOf(question.groupBy, points);
      yield points.map(({ start, id, sums }) => {
        const group = question.groupBy === null ? null : (id ?? NO_GROUP);
        return { start, groupBy, group, ...labelOf(id), ...toTotalsView(sums) };
      });
    }
  }

  private async *callRows(filter: UsageRequestFilter): AsyncGenerator<Row[]> {
    for await (const calls of this.requests.all(filter)) {
      yield (await this.usage.toCallViews(calls)).map((call) => ({ ...call }));
    }
  }
}
