import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import type { UsageRequestFilter } from '../../usage/reports/usage-call.types.js';
import type { UsageQuestion } from '../../usage/reports/usage-report.types.js';
import { UsageReportsService } from '../../usage/reports/usage-reports.service.js';
import { UsageRequestsService } from '../../usage/requests/usage-requests.service.js';
import { type CsvValue, csvHead, csvRow } from '../lists/csv.js';
import { ConsoleUsageService } from './console-usage.service.js';
import type { UsageExportQuery } from './dto/usage-query.dto.js';
import { NO_GROUP, toTotalsView } from './usage.view.js';
import { toQuestion, toRequestFilter } from './usage-question.js';
import { UsageScopeService } from './usage-scope.service.js';

export interface UsageExport {
  readonly lines: AsyncGenerator<string>;
  readonly contentType: string;
  readonly fileName: string;
}

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
  ],
} as const;

/** Usage as a file of any length, read from the database as fast as the client consumes it. */
@Injectable()
export class UsageExportService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly requests: UsageRequestsService,
    private readonly usage: ConsoleUsageService,
    private readonly scope: UsageScopeService,
  ) {}

  /** Throws if the query is refused; nothing is read before the first line is consumed. */
  async begin({ kind, format, ...asked }: UsageExportQuery, session: Session): Promise<UsageExport> {
    const query = await this.scope.resolved(asked, session);
    const question = toQuestion(query, session);
    const rows = kind === 'report' ? this.reportRows(question) : this.callRows(toRequestFilter(query, session));
    const day = (iso: string) => new Date(iso).toISOString().slice(0, 10);
    const fileName = `usage-${kind}-${day(query.from)}-${day(query.to)}.${format}`;
    return format === 'csv'
      ? { lines: csvLines(rows, COLUMNS[kind]), contentType: 'text/csv; charset=utf-8', fileName }
      : { lines: jsonLines(rows, COLUMNS[kind]), contentType: 'application/json; charset=utf-8', fileName };
  }

  private async *reportRows(question: UsageQuestion): AsyncGenerator<Row[]> {
    const groupBy = question.groupBy ?? 'none';
    for await (const points of this.reports.points(question)) {
      const labelOf = await this.usage.labelsOf(
        question.groupBy,
        points.map(({ id }) => id),
      );
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

async function* csvLines(rows: AsyncIterable<Row[]>, columns: readonly string[]): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const batch of rows) yield batch.map((row) => csvRow(cellsOf(row, columns))).join('');
}

async function* jsonLines(rows: AsyncIterable<Row[]>, columns: readonly string[]): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    yield separator + batch.map((row) => JSON.stringify(toObject(row, columns))).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function cellsOf(row: Row, columns: readonly string[]): CsvValue[] {
  return columns.map((column) => row[column] ?? null);
}

function toObject(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}
