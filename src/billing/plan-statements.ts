import type { LimitScope } from '../limits/values/limit.types.js';
import type { LimitValueRow } from '../limits/values/limit-settings.js';
import { DEFAULT_PLAN } from './plan.entity.js';

/** The plan of every user in `users` (a relation with one column, `id`): the granted one with the highest rank. */
function currentPlans(users: string): string {
  return `
    WITH held AS (
      SELECT user_id, plan_id, min(starts_at) AS since,
        CASE WHEN bool_or(ends_at IS NULL) THEN NULL ELSE max(ends_at) END AS until
      FROM plan_grants
      WHERE user_id IN (SELECT id FROM ${users}) AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
      GROUP BY user_id, plan_id
    )
    SELECT DISTINCT ON (u.id) u.id AS user_id, p.id, p.name, p.tiers, p.models, held.since, held.until
    FROM ${users} CROSS JOIN plans p LEFT JOIN held ON held.user_id = u.id AND held.plan_id = p.id
    WHERE p.id = '${DEFAULT_PLAN}' OR held.user_id IS NOT NULL
    ORDER BY u.id, p.rank DESC`;
}

export interface CurrentPlanRow {
  user_id: string;
  id: string;
  name: string;
  tiers: string[];
  models: string[];
  since: Date | null;
  until: Date | null;
}

/**
 * $1: a user's id, $2: the id of one of the user's keys, or null. Returns the plan, when it can change next, all
 * limits, and which of the two had a budget when their last call was decided.
 */
export const PLAN_OF_USER = `
  SELECT p.id, p.tiers, p.models, (
    SELECT min(at) FROM plan_grants AS g CROSS JOIN LATERAL (VALUES (g.starts_at), (g.ends_at)) AS change (at)
    WHERE g.user_id = $1::uuid AND at > now()
  ) AS changes_at, (
    SELECT json_agg(json_build_object('scope', scope, 'name', l.name, 'amount', amount::text)) FROM limit_values AS l
    WHERE (scope, subject) IN (('plan', p.id), ('user', $1::uuid::text), ('key', $2::uuid::text))
  ) AS limits, ARRAY(
    SELECT b.id FROM limit_balances AS b
    WHERE b.id IN ($1::uuid, $2::uuid) AND num_nonnulls(b.cap_day, b.cap_month, b.cap_total) > 0
  ) AS budgeted
  FROM plans AS p
  WHERE p.id = '${DEFAULT_PLAN}' OR p.id IN (
    SELECT plan_id FROM plan_grants
    WHERE user_id = $1::uuid AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
  )
  ORDER BY p.rank DESC LIMIT 1`;

export interface PlanOfUserRow {
  id: string;
  tiers: string[];
  models: string[];
  changes_at: Date | null;
  limits: (LimitValueRow & { scope: LimitScope })[] | null;
  budgeted: string[];
}

/** $1: user ids. → `CurrentPlanRow` */
export const PLANS_OF_USERS = currentPlans('unnest($1::uuid[]) AS u (id)');

/** The plan of every user. → `CurrentPlanRow` */
export const CURRENT_PLANS = currentPlans('users AS u');

/** The number of users of each plan that has any. */
export const USERS_BY_PLAN = `
  SELECT id, count(*)::int AS users FROM (${CURRENT_PLANS}) AS current GROUP BY id`;

/** $1: a user's id. Ends present grants and cancels future ones. */
export const END_GRANTS = `
  UPDATE plan_grants AS ended SET starts_at = least(ended.starts_at, now()), ends_at = now()
  FROM plan_grants AS old
  WHERE old.id = ended.id AND ended.user_id = $1 AND (ended.ends_at IS NULL OR ended.ends_at > now())
  RETURNING ended.plan_id, old.starts_at AS since, old.ends_at AS until, ended.ends_at AS ended_at`;

export interface EndedGrantRow {
  plan_id: string;
  since: Date;
  until: Date | null;
  ended_at: Date;
}

/** $1: ids of users and keys without limits. */
export const FORGET_BUDGETS = 'SELECT limit_forget($1::uuid[])';
