import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../common/usage.error.js';
import { ClockService } from '../database/clock.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { refusedFilterOf } from './reports/refused-sums.js';
import { conditionOf, errorConditionOf, SqlParameters } from './reports/usage-filter.js';
import type {
  CallConditions,
  CallPosition,
  Placed,
  RecentError,
  RefusedRequest,
  UsageCall,
  UsageRequestFilter,
} from './usage.types.js';
import { UsageCallsService } from './usage-calls.service.js';

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

  /** Newest first, identical errors together. `users`: null for all. */
  async list({ users, limit }: { users: readonly string[] | null; limit: number }): Promise<RecentError[]> {
    const now = this.clock.now();
    const failed = {
      from: new Date(now - LOOKED_BACK_MS),
      to: new Date(now + FAR_AHEAD_MS),
      statuses: ['failed', 'interrupted'],
      ...(users !== null && { users }),
    };
    const [refused, { calls }] = await Promise.all([this.refused(users), this.calls.newest(failed, null, LOOKED_AT)]);
    const all = [...refused, ...calls.map(toRecentError)].sort((a, b) => b.at.getTime() - a.at.getTime());
    return together(all).slice(0, limit);
  }

  private refused(users: readonly string[] | null): Promise<RecentError[]> {
    return this.database.query(
      `SELECT ${REFUSED_ID} AS id, at,
         request_id AS "requestId", coalesce(asked_model, model) AS model, status, code, message, NULL AS upstream,
         NULL AS "upstreamStatus", key_id AS "keyId",
         user_id AS "userId", 1 AS count
       FROM recent_errors WHERE ${users === null ? '$1::uuid[] IS NULL' : 'user_id = ANY ($1::uuid[])'} ORDER BY at DESC LIMIT ${LOOKED_AT}`,
      [users],
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

function toRecentError({ startedAt, errorCode, status, ...call }: UsageCall): RecentError {
  const { id, requestId, model, message, upstream, upstreamStatus, keyId, userId } = call;
  return {
    id,
    at: startedAt,
    requestId,
    model,
    status: null,
    code: errorCode ?? status,
    message,
    upstream,
    upstreamStatus,
    keyId,
    userId,
    count: 1,
  };
}

/** The id of a refused request, in SQL. It sorts after calls of the same instant, whose ids start with `chatcmpl-`. */
const REFUSED_ID = `'refused-' || lpad(id::text, 12, '0')`;

const WRITTEN_ID = /^refused-(\d{12})$/;

/** `condition`: on indexed columns of the table. */
const refusedWhere = (condition: string) => `
  SELECT *, started_at::text AS position FROM (
    SELECT ${REFUSED_ID} AS id, at AS started_at, request_id AS "requestId", key_id,
      key_display AS "keyDisplay", user_id, status AS "httpStatus", code AS "errorCode", coalesce(asked_model, model, '') AS model,
      coalesce(api, 'chat.completions') AS api,
      message, 'refused' AS status, client_address AS "clientAddress", user_agent AS "userAgent"
    FROM recent_errors WHERE ${condition}
  ) AS refused`;

type RefusedRow = Omit<Placed<RefusedRequest>, 'startedAt' | 'keyId' | 'userId'> & {
  started_at: Date;
  key_id: string | null;
  user_id: string | null;
};

@Injectable()
export class RefusedRequestsService {
  constructor(private readonly database: ReportReaderService) {}

  /** Newest first, in the order of the ledger's calls. */
  async list({ from, to, where = {}, ...filter }: UsageRequestFilter, behind: CallPosition | null, limit: number) {
    const requested = refusedFilterOf(filter);
    if (requested === null || hasOtherConditions(where)) return [];
    const [startedAt = null, id = null] = behind ?? [];
    const parameters = new SqlParameters(from, to, limit, startedAt, id, requested.httpStatus);
    const ofErrors = errorConditionOf(where, parameters, { code: '"errorCode"', statuses: ['"httpStatus"'] });
    const rows: RefusedRow[] = await this.database.query(
      `${refusedWhere('at >= $1 AND at < $2')} WHERE ${conditionOf(requested, parameters)} AND ${ofErrors}
         AND ($6::int IS NULL OR "httpStatus" = $6)
         AND ($4::text IS NULL OR (started_at, id) < ($4::timestamptz, $5::text))
       ORDER BY started_at DESC, id DESC LIMIT $3`,
      parameters.values,
    );
    return rows.map(toRefused);
  }

  /** Another user's request is reported as not found. */
  async get(id: string, owners: readonly string[] | null): Promise<RefusedRequest> {
    const found = await this.find('id = $1::bigint', WRITTEN_ID.exec(id)?.[1] ?? null, owners);
    if (found) return found;
    throw new NotFoundError('There is no request with this id; only the most recent refused requests are stored.');
  }

  /** Finds a request by the `x-request-id` of its answer. */
  ofRequest(requestId: string, owners: readonly string[] | null): Promise<RefusedRequest | null> {
    return this.find('request_id = $1', requestId, owners);
  }

  private async find(
    isIt: string,
    value: string | null,
    owners: readonly string[] | null,
  ): Promise<RefusedRequest | null> {
    const isTheirs = owners === null ? '$2::uuid[] IS NULL' : 'user_id = ANY($2::uuid[])';
    const [row]: RefusedRow[] = await this.database.query(refusedWhere(`${isIt} AND ${isTheirs}`), [value, owners]);
    if (!row) return null;
    const { position: _, ...request } = toRefused(row);
    return request;
  }
}

/** What is not known of refused requests, so that they never meet it. */
function hasOtherConditions({ stream, simulated, minCostUsd, minMs }: CallConditions): boolean {
  return [stream, simulated, minCostUsd, minMs].some((value) => value !== undefined);
}

export function isRefusedId(id: string): boolean {
  return id.startsWith('refused-');
}

function toRefused({ started_at: startedAt, key_id: keyId, user_id: userId, ...row }: RefusedRow) {
  return { ...row, startedAt, keyId, userId };
}
