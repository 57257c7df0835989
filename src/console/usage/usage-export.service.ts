import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../accounts/user.types.js';
import { toDay, wallClockOf } from '../../common/wall-clock.js';
import type { UsageGrouping, UsageQuestion, UsageRequestFilter } from '../../usage/usage.types.js';
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

/** The columns of a group: its id and name, or only its name. */
const GROUP_COLUMNS: Record<UsageGrouping, readonly string[]> = {
  project: ['projectId', 'projectName'],
  user: ['userId', 'userName'],
  key: ['keyId', 'keyName'],
  model: ['model'],
  upstream: ['upstream'],
  status: ['callStatus'],
  api: ['api'],
};

/** The header rows of the files. They are documented: do not rename columns, and add new ones at the end. */
const COLUMNS = {
  report: [
    ...['start', 'groupBy', 'group', 'label', 'detail'],
    ...SUMS,
    ...['localStart', 'zone'],
    ...Object.values(GROUP_COLUMNS).flat(),
  ],
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

const ALL = { label: 'All', detail: null };

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
  async begin({ kind, format, ...requested }: UsageExportQuery, session: Viewer): Promise<Download> {
    const permission = kind === 'report' ? 'usage.read' : 'requests.read';
    if (!session.rights.hasScope(permission)) throw insufficientPermissions(permission);
    const query = await this.scope.resolved(requested, session, permission);
    const groupings = query.groups ?? (query.groupBy === 'none' ? [] : [query.groupBy]);
    for (const groupBy of groupings) toQuestion({ ...query, groupBy }, session);
    const question = toQuestion(query, session);
    const batches =
      kind === 'report' ? this.reportRows(question, groupings) : this.callRows(toRequestFilter(query, session));
    const columns: readonly string[] = COLUMNS[kind];
    return download(fileNameOf(kind, question), format, {
      batches,
      columns,
      toCells: (row) => columns.map((column) => row[column] ?? null),
      toJson: (row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
    });
  }

  private async *reportRows(question: UsageQuestion, groupings: readonly UsageGrouping[]): AsyncGenerator<Row[]> {
    const clock = wallClockOf(question.zone);
    const groupBy = groupings.join(',') || 'none';
    for await (const points of this.reports.points(question, groupings)) {
      const labels = await Promise.all(
        groupings.map((one) =>
          this.usage.labelsOf(
            one,
            points.map(({ ids }) => ({ id: ids[one] ?? null })),
          ),
        ),
      );
      yield points.map(({ start, ids, sums }) => {
        const groups = groupings.map((one, index) => {
          const id = ids[one] ?? null;
          const { label, detail } = labels[index]?.(id) ?? ALL;
          const columns = GROUP_COLUMNS[one];
          const [first, second] = columns;
          return {
            id: id ?? NO_GROUP,
            label,
            detail,
            cells: { [first ?? '']: id ?? NO_GROUP, ...(second && { [second]: label }) },
          };
        });
        const [only = { ...ALL, id: null }] = groups;
        return {
          start,
          groupBy,
          group: groups.length > 1 ? groups.map(({ id }) => id).join(',') : only.id,
          label: groups.length > 1 ? groups.map(({ label }) => label).join(' · ') : only.label,
          detail: groups.length > 1 ? null : only.detail,
          ...toTotalsView(sums),
          localStart: toLocalTime(clock(start)),
          zone: question.zone,
          ...Object.assign({}, ...groups.map(({ cells }) => cells)),
        };
      });
    }
  }

  private async *callRows(filter: UsageRequestFilter): AsyncGenerator<Row[]> {
    for await (const calls of this.requests.all(filter)) {
      yield (await this.usage.toCallViews(calls)).map((call) => ({ ...call }));
    }
  }
}

/** With the first and the last day of the range in its time zone: `usage-report-2026-10-01-2026-10-31`. */
function fileNameOf(kind: UsageExportQuery['kind'], { from, to, zone }: UsageQuestion): string {
  const clock = wallClockOf(zone);
  const days = [toDay(clock(from)), toDay(clock(new Date(to.getTime() - 1)))];
  return `usage-${kind}-${[...new Set(days)].join('-')}`;
}

/** ms since 1970 on a wall clock → `2026-12-31 00:00`, which spreadsheets read as a time. */
function toLocalTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
