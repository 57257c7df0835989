import { Injectable } from '@nestjs/common';
import { ReportReaderService } from '../../database/report-reader.service.js';
import type { RecentError } from '../usage.types.js';
import { REFUSED_ID } from './refused-requests.service.js';

/** Failed calls older than this are no news. */
const LOOKED_BACK = '7 days';

/** What went wrong lately: calls that were refused, and accepted ones that failed. */
@Injectable()
export class RecentErrorsService {
  constructor(private readonly database: ReportReaderService) {}

  /** Newest first; of one user, or (null) of everybody. */
  list({ userId, limit }: { userId: string | null; limit: number }): Promise<RecentError[]> {
    const isTheirs = userId === null ? '$1::uuid IS NULL' : 'user_id = $1';
    return this.database.query(
      `(SELECT CASE WHEN key_id IS NOT NULL AND user_id IS NOT NULL THEN ${REFUSED_ID} END AS id, at,
          request_id AS "requestId", coalesce(asked_model, model) AS model, status, code, message, key_id AS "keyId",
          user_id AS "userId"
        FROM recent_errors WHERE ${isTheirs} ORDER BY at DESC LIMIT $2)
       UNION ALL
       (SELECT id, started_at, request_id, model, NULL, coalesce(error_code, status), NULL, key_id, user_id FROM usage_calls
        WHERE status IN ('failed', 'interrupted') AND started_at > now() - interval '${LOOKED_BACK}' AND ${isTheirs}
        ORDER BY started_at DESC LIMIT $2)
       ORDER BY at DESC LIMIT $2`,
      [userId, limit],
    );
  }
}
