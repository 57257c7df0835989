import { Injectable } from '@nestjs/common';
import { cursorOf, positionOf } from '../reports/call-position.js';
import type {
  CallPosition,
  Placed,
  UsageRequest,
  UsageRequestFilter,
  UsageRequestPage,
} from '../reports/usage-call.types.js';
import { UsageCallsService } from '../reports/usage-calls.service.js';
import { isConditional, meets } from './call-conditions.js';
import { RefusedRequestsService } from './refused-requests.service.js';

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

  /** Refused requests never meet conditions, as the needed values are not recorded. */
  private async examined(
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
