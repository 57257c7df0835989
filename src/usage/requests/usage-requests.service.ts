import { Injectable } from '@nestjs/common';
import { cursorOf, positionOf } from '../reports/call-position.js';
import type { Placed, UsageCallFilter, UsageRequest, UsageRequestPage } from '../reports/usage-call.types.js';
import { UsageCallsService } from '../reports/usage-calls.service.js';
import { RefusedRequestsService } from './refused-requests.service.js';

@Injectable()
export class UsageRequestsService {
  constructor(
    private readonly calls: UsageCallsService,
    private readonly refused: RefusedRequestsService,
  ) {}

  /** `cursor`: `next` of the previous page. */
  async page(filter: UsageCallFilter, cursor: string | null, limit: number): Promise<UsageRequestPage> {
    const behind = cursor === null ? null : positionOf(cursor);
    const found: Placed<UsageRequest>[][] = await Promise.all([
      this.calls.newest(filter, behind, limit + 1),
      this.refused.list(filter, behind, limit + 1),
    ]);
    const all = found.flat().sort(newestFirst);
    const items = all.slice(0, limit);
    const last = items.at(-1);
    return { items: items.map(withoutPlace), next: all.length > limit && last ? cursorOf(last) : null };
  }
}

function withoutPlace({ position: _, ...request }: Placed<UsageRequest>): UsageRequest {
  return request;
}

function newestFirst(a: UsageRequest, b: UsageRequest): number {
  const later = b.startedAt.getTime() - a.startedAt.getTime();
  return later !== 0 ? later : a.id < b.id ? 1 : -1;
}
