import { Injectable } from '@nestjs/common';
import { UsageError } from '../common/usage.error.js';
import { RefusedRequestsService } from './recent-errors.service.js';
import type {
  CallConditions,
  CallPosition,
  Placed,
  UsageCall,
  UsageRequest,
  UsageRequestFilter,
  UsageRequestPage,
} from './usage.types.js';
import { UsageCallsService } from './usage-calls.service.js';

const BATCH = 1000;
/** The maximum number of calls that a page examines for conditions that no index can answer. */
export const MAX_EXAMINED = 10_000;

interface Found {
  /** Newest first; one more than the limit, if there are enough. */
  requests: Placed<UsageRequest>[];
  upToDateAt: Date;
  /** The last examined request, when the search ended before the end of the list. */
  endedAt: Placed<UsageRequest> | null;
}

/** Calls of the ledger and refused requests together. */
@Injectable()
export class UsageRequestsService {
  constructor(
    private readonly calls: UsageCallsService,
    private readonly refused: RefusedRequestsService,
  ) {}

  /** `cursor`: `next` of the previous page. */
  async page(filter: UsageRequestFilter, cursor: string | null, limit: number): Promise<UsageRequestPage> {
    const behind = cursor === null ? null : positionOf(cursor);
    const { requests, upToDateAt, endedAt } = isConditional(filter.where)
      ? await this.examined(filter, behind, limit)
      : await this.together(filter, behind, limit);
    const items = requests.slice(0, limit);
    const last = requests.length > limit ? items.at(-1) : endedAt;
    return {
      items: items.map(withoutPlace),
      next: last ? cursorOf(last) : null,
      upToDateAt,
      searchedTo: requests.length > limit ? null : (endedAt?.startedAt ?? null),
    };
  }

  /** All requests in batches, read as fast as they are consumed. */
  async *all(filter: UsageRequestFilter): AsyncGenerator<UsageRequest[]> {
    for (let cursor: string | null = null; ; ) {
      const { items, next }: UsageRequestPage = await this.page(filter, cursor, BATCH);
      if (items.length > 0) yield items;
      if (next === null) return;
      cursor = next;
    }
  }

  private async together(filter: UsageRequestFilter, behind: CallPosition | null, limit: number): Promise<Found> {
    const [{ calls, upToDateAt }, refused] = await Promise.all([
      this.calls.newest(filter, behind, limit + 1),
      this.refused.list(filter, behind, limit + 1),
    ]);
    return { requests: [...calls, ...refused].sort(newestFirst), upToDateAt, endedAt: null };
  }

  private async examined(filter: UsageRequestFilter, behind: CallPosition | null, limit: number): Promise<Found> {
    const [{ requests, endedAt, upToDateAt }, refused] = await Promise.all([
      this.examinedCalls(filter, behind, limit),
      this.refused.list(filter, behind, limit + 1),
    ]);
    const among = endedAt === null ? refused : refused.filter((one) => newestFirst(one, endedAt) < 0);
    return { requests: [...requests, ...among].sort(newestFirst), upToDateAt, endedAt };
  }

  private async examinedCalls(
    { where = {}, ...filter }: UsageRequestFilter,
    behind: CallPosition | null,
    limit: number,
  ): Promise<Found> {
    const requests: Placed<UsageRequest>[] = [];
    let upToDateAt: Date | null = null;
    for (let examined = 0, from = behind; ; examined += BATCH) {
      const { calls, upToDateAt: at } = await this.calls.newest(filter, from, BATCH);
      upToDateAt ??= at;
      requests.push(...calls.filter((call) => meets(call, where)));
      const last = calls.at(-1);
      const isEnd = last === undefined || calls.length < BATCH;
      if (isEnd || requests.length > limit) return { requests, upToDateAt, endedAt: null };
      if (examined + BATCH >= MAX_EXAMINED) return { requests, upToDateAt, endedAt: last };
      from = [last.position, last.id];
    }
  }
}

function withoutPlace({ position: _, ...request }: Placed<UsageRequest>): UsageRequest {
  return request;
}

function newestFirst(a: UsageRequest, b: UsageRequest): number {
  const later = b.startedAt.getTime() - a.startedAt.getTime();
  return later !== 0 ? later : a.id < b.id ? 1 : -1;
}

const NANODOLLARS = 1e9;

export function isConditional(where: CallConditions | undefined): where is CallConditions {
  return where !== undefined && Object.values(where).some((value) => value !== undefined);
}

/** Whether a call meets all of the conditions. Running calls have neither cost nor duration yet. */
export function meets(
  call: UsageCall,
  { stream, simulated, minCostUsd, minMs, codes, httpStatuses }: CallConditions,
): boolean {
  const { errorCode, httpStatus, upstreamStatus } = call;
  const hasStatus = (one: number) => one === httpStatus || one === upstreamStatus;
  return (
    (codes === undefined || (errorCode !== null && codes.includes(errorCode))) &&
    (httpStatuses === undefined || httpStatuses.some(hasStatus)) &&
    (stream === undefined || call.stream === stream) &&
    (simulated === undefined || call.simulated === simulated) &&
    (minCostUsd === undefined || Number(call.costNanodollars) >= minCostUsd * NANODOLLARS) &&
    (minMs === undefined || (call.totalMs ?? -1) >= minMs)
  );
}

/** A decoded cursor: `started_at` as written by Postgres, and the id. */
const POSITION =
  /^([1-9]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)((?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2})\|([\w-]+)$/;

function cursorOf({ position, id }: { position: string; id: string }): string {
  return Buffer.from(`${position}|${id}`).toString('base64url');
}

function positionOf(cursor: string): CallPosition {
  const [, date = '', time = '', rest = '', id = ''] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (isInstant(date, time)) return [`${date} ${time}${rest}`, id];
  throw new UsageError('This page does not exist.', 'cursor');
}

/** Postgres rejects 30 February, which `Date` reads as 2 March. */
function isInstant(date: string, time: string): boolean {
  const instant = new Date(`${date}T${time}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${date}T${time}`);
}
