import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { NotFoundError } from '../common/usage.error.js';
import { ClockService } from '../database/clock.service.js';
import {
  behindPlace,
  cursorOfPlace,
  type ListPlace,
  placeOfCursor,
  type SortBy,
  searchPatterns,
} from '../database/lists.js';
import { PlanEntity } from './plan.entity.js';
import type { PlanHolder, PlanHolders } from './plan.types.js';

export const HOLDER_SORTS = ['user', 'since', 'until', 'source'] as const;
export type HolderSort = (typeof HOLDER_SORTS)[number];

const COLUMNS: Readonly<Record<HolderSort, SortBy>> = {
  user: { sql: 'coalesce(u.email, u.name)', type: 'text' },
  since: { sql: 'g.starts_at', type: 'timestamptz' },
  until: { sql: 'g.ends_at', type: 'timestamptz', isNullable: true },
  source: { sql: 'g.source', type: 'text' },
};

/** A page of the users of a plan. */
interface HoldersQuestion {
  /** Words to find in the e-mail address or name. */
  readonly text: string;
  readonly sort: HolderSort;
  readonly descending: boolean;
  /** The `next` of the previous page. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** The users of a plan, page by page. */
@Injectable()
export class PlanHoldersService {
  constructor(
    @InjectRepository(PlanEntity) private readonly plans: Repository<PlanEntity>,
    private readonly clock: ClockService,
  ) {}

  /** Users with a present or future grant of the plan; empty for the default plan. */
  async page(planId: string, { text, sort, descending, cursor, limit }: HoldersQuestion): Promise<PlanHolders> {
    if (!(await this.plans.existsBy({ id: planId }))) throw new NotFoundError('The plan does not exist.');
    const place = cursor === null ? null : placeOfCursor(cursor, COLUMNS[sort]);
    const behind = behindPlace({ sort: COLUMNS[sort], descending, id: 'g.id', place, firstParameter: 4 });
    const rows: (PlanHolder & ListPlace)[] = await this.plans.query(
      `SELECT g.id, (${COLUMNS[sort].sql})::text AS value, user_id AS "userId", starts_at AS since, ends_at AS until, source
       FROM plan_grants AS g JOIN users AS u ON u.id = g.user_id
       WHERE plan_id = $1 AND (ends_at IS NULL OR ends_at > $2) AND coalesce(u.email, '') || ' ' || u.name ILIKE ALL ($3::text[])
         AND ${behind.condition}
       ORDER BY ${behind.order} LIMIT ${limit + 1}`,
      [planId, this.clock.date(), searchPatterns(text), ...behind.values],
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const holders = page.map(({ userId, since, until, source }) => ({ userId, since, until, source }));
    return { holders, next: last && rows.length > limit ? cursorOfPlace(last) : null };
  }
}
