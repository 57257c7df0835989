import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import type { UsageCall } from '../reports/usage-call.types.js';
import { UsageCallsService } from '../reports/usage-calls.service.js';
import type { RecentError } from '../usage.types.js';
import { REFUSED_ID } from './refused-requests.service.js';

/** Older failures are not listed. */
const LOOKED_BACK_MS = 7 * 86_400_000;
const FAR_AHEAD_MS = 86_400_000;
/** Identical errors are grouped among this many. */
const LOOKED_AT = 200;

@Injectable()
export class RecentErrorsService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly calls: UsageCallsService,
    private readonly clock: ClockService,
  ) {}

  /** Newest first, identical errors together. `userId`: null for all users. */
  async list({ userId, limit }: { userId: string | null; limit: number }): Promise<RecentError[]> {
    const now = this.clock.now();
    const failed = {
      from: new Date(now - LOOKED_BACK_MS),
      to: new Date(now + FAR_AHEAD_MS),
      statuses: ['failed', 'interrupted'],
      ...(userId !== null && { users: [userId] }),
    };
    const [refused, { calls }] = await Promise.all([this.refused(userId), this.calls.newest(failed, null, LOOKED_AT)]);
    const all = [...refused, ...calls.map(toRecentError)].sort((a, b) => b.at.getTime() - a.at.getTime());
    return together(all).slice(0, limit);
  }

  private refused(userId: string | null): Promise<RecentError[]> {
    return this.database.query(
      `SELECT ${REFUSED_ID} AS id, at,
         request_id AS "requestId", coalesce(asked_model, model) AS model, status, code, message, key_id AS "keyId",
         user_id AS "userId", 1 AS count
       FROM recent_errors WHERE ${userId === null ? '$1::uuid IS NULL' : 'user_id = $1'} ORDER BY at DESC LIMIT ${LOOKED_AT}`,
      [userId],
    );
  }
}

/**
 * Groups errors of the same key and model with the same code and message; a group has the time of the newest. Numbers in
 * a message, such as seconds to wait, are not compared.
 */
function together(errors: readonly RecentError[]): RecentError[] {
  const groups = new Map<string, RecentError>();
  for (const error of errors) {
    const { status, code, message, model, keyId } = error;
    const what = message?.replaceAll(/\d+/g, '0');
    const name = JSON.stringify([status, code, what, model, keyId]);
    const first = groups.get(name);
    if (first) first.count++;
    else groups.set(name, { ...error });
  }
  return [...groups.values()];
}

function toRecentError({ id, startedAt, requestId, model, errorCode, status, keyId, userId }: UsageCall): RecentError {
  return {
    id,
    at: startedAt,
    requestId,
    model,
    status: null,
    code: errorCode ?? status,
    message: null,
    keyId,
    userId,
    count: 1,
  };
}
