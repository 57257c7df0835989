import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/not-found.error.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import type { CallPosition, Placed, RefusedRequest, UsageCallFilter } from '../reports/usage-call.types.js';
import { conditionOf } from '../reports/usage-filter.js';

/** The id of a rejected request, in SQL. It sorts after calls of the same instant, whose ids start with `chatcmpl-`. */
export const REFUSED_ID = `'refused-' || lpad(id::text, 12, '0')`;

const WRITTEN_ID = /^refused-(\d{12})$/;

/** `condition`: on indexed columns of the table. */
const refusedWhere = (condition: string) => `
  SELECT *, started_at::text AS position FROM (
    SELECT ${REFUSED_ID} AS id, at AS started_at, request_id AS "requestId", key_id,
      key_display AS "keyDisplay", user_id, status AS "httpStatus", code AS "errorCode", coalesce(asked_model, model, '') AS model,
      coalesce(api, 'chat.completions') AS api,
      message, 'refused' AS status
    FROM recent_errors WHERE key_id IS NOT NULL AND user_id IS NOT NULL AND ${condition}
  ) AS refused`;

type RefusedRow = Omit<Placed<RefusedRequest>, 'startedAt' | 'keyId' | 'userId'> & {
  started_at: Date;
  key_id: string;
  user_id: string;
};

@Injectable()
export class RefusedRequestsService {
  constructor(private readonly database: ReportReaderService) {}

  /** Newest first, in the order of the ledger's calls. */
  async list({ from, to, ...filter }: UsageCallFilter, behind: CallPosition | null, limit: number) {
    const { condition, values } = conditionOf(filter, 6);
    const rows: RefusedRow[] = await this.database.query(
      `${refusedWhere('at >= $1 AND at < $2')} WHERE ${condition}
         AND ($4::text IS NULL OR (started_at, id) < ($4::timestamptz, $5::text))
       ORDER BY started_at DESC, id DESC LIMIT $3`,
      [from, to, limit, behind?.[0] ?? null, behind?.[1] ?? null, ...values],
    );
    return rows.map(toRefused);
  }

  /** Another user's request is reported as not found. */
  async get(id: string, ownerId: string | null): Promise<RefusedRequest> {
    const isTheirs = ownerId === null ? '$2::uuid IS NULL' : 'user_id = $2';
    const number = WRITTEN_ID.exec(id)?.[1] ?? null;
    const statement = refusedWhere(`id = $1::bigint AND ${isTheirs}`);
    const [row]: RefusedRow[] = await this.database.query(statement, [number, ownerId]);
    if (!row)
      throw new NotFoundError('There is no request with this id; only the most recent rejected requests are stored.');
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
