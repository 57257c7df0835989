import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/not-found.error.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { refusedFilterOf } from '../reports/refused-filter.js';
import { SqlParameters } from '../reports/sql-parameters.js';
import type { CallPosition, Placed, RefusedRequest, UsageCallFilter } from '../reports/usage-call.types.js';
import { conditionOf } from '../reports/usage-filter.js';

/** The id of a refused request, in SQL. It sorts after calls of the same instant, whose ids start with `chatcmpl-`. */
export const REFUSED_ID = `'refused-' || lpad(id::text, 12, '0')`;

const WRITTEN_ID = /^refused-(\d{12})$/;

/** `condition`: on indexed columns of the table. */
const refusedWhere = (condition: string) => `
  SELECT *, started_at::text AS position FROM (
    SELECT ${REFUSED_ID} AS id, at AS started_at, request_id AS "requestId", key_id,
      key_display AS "keyDisplay", user_id, status AS "httpStatus", code AS "errorCode", coalesce(asked_model, model, '') AS model,
      coalesce(api, 'chat.completions') AS api,
      message, 'refused' AS status
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
  async list({ from, to, ...filter }: UsageCallFilter, behind: CallPosition | null, limit: number) {
    const asked = refusedFilterOf(filter);
    if (asked === null) return [];
    const [startedAt = null, id = null] = behind ?? [];
    const parameters = new SqlParameters(from, to, limit, startedAt, id, asked.httpStatus);
    const rows: RefusedRow[] = await this.database.query(
      `${refusedWhere('at >= $1 AND at < $2')} WHERE ${conditionOf(asked, parameters)}
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

export function isRefusedId(id: string): boolean {
  return id.startsWith('refused-');
}

function toRefused({ started_at: startedAt, key_id: keyId, user_id: userId, ...row }: RefusedRow) {
  return { ...row, startedAt, keyId, userId };
}
