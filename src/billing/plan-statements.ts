import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../common/usage.error.js';
import type { LimitScope } from '../limits/values/limit-values.js';
import type { LimitValueRow } from '../limits/values/limit-values.service.js';
import type { PlanEntity } from './plan.entity.js';
import { DEFAULT_PLAN } from './plan.types.js';

const HOLDER = 'project_user';

/** The account of a user, and for a service account of a project the user that represents the project. */
function joinHolder(userId: string): string {
  return `LEFT JOIN users AS account ON account.id = ${userId}
    LEFT JOIN users AS ${HOLDER} ON ${HOLDER}.kind = 'project' AND ${HOLDER}.project_id = account.project_id`;
}

/**
 * The plan of every user in `users` (a relation with the column `id`): the granted one with the highest rank. Service
 * accounts of a project have the plan of the user that represents the project.
 */
function currentPlans(users: string): string {
  return `
    WITH asked AS (
      SELECT u.id, coalesce(${HOLDER}.id, u.id) AS holder FROM ${users} ${joinHolder('u.id')}
    ), held AS (
      SELECT user_id, plan_id, min(starts_at) AS since,
        CASE WHEN bool_or(ends_at IS NULL) THEN NULL ELSE max(ends_at) END AS until
      FROM plan_grants
      WHERE user_id IN (SELECT holder FROM asked) AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
      GROUP BY user_id, plan_id
    )
    SELECT DISTINCT ON (u.id) u.id AS user_id, p.id, p.name, p.tiers, p.models, held.since, held.until
    FROM asked AS u CROSS JOIN plans p LEFT JOIN held ON held.user_id = u.holder AND held.plan_id = p.id
    WHERE p.id = '${DEFAULT_PLAN}' OR held.user_id IS NOT NULL
    ORDER BY u.id, p.rank DESC`;
}

export interface CurrentPlanRow extends Pick<PlanEntity, 'id' | 'name' | 'tiers' | 'models'> {
  user_id: string;
  since: Date | null;
  until: Date | null;
}

/**
 * $1: a user's id, $2: the id of one of the user's keys, or null. Returns the user's project, the plan, when it can
 * change next, all limits, and which of their balances had a budget at their last admission.
 */
export const PLAN_OF_USER = `
  WITH caller AS (
    SELECT account.project_id, coalesce(${HOLDER}.id, u.id) AS holder FROM (VALUES ($1::uuid)) AS u (id) ${joinHolder('u.id')}
  )
  SELECT c.project_id, c.holder, p.id, p.tiers, p.models, p.guards, (
    SELECT min(at) FROM plan_grants AS g CROSS JOIN LATERAL (VALUES (g.starts_at), (g.ends_at)) AS change (at)
    WHERE g.user_id = c.holder AND at > now()
  ) AS changes_at, (
    SELECT json_agg(json_build_object('scope', scope, 'name', l.name, 'amount', amount::text)) FROM limit_values AS l
    WHERE (scope, subject) IN (('plan', p.id), ('user', $1::uuid::text), ('key', $2::uuid::text),
      ('project', c.project_id::text))
  ) AS limits, ARRAY(
    SELECT b.id FROM limit_balances AS b
    WHERE b.id IN ($1::uuid, $2::uuid, c.project_id, c.holder) AND num_nonnulls(b.cap_day, b.cap_month, b.cap_total) > 0
  ) AS budgeted
  FROM caller AS c CROSS JOIN plans AS p
  WHERE p.id = '${DEFAULT_PLAN}' OR p.id IN (
    SELECT plan_id FROM plan_grants
    WHERE user_id = c.holder AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
  )
  ORDER BY p.rank DESC LIMIT 1`;

export interface PlanOfUserRow extends Pick<PlanEntity, 'id' | 'tiers' | 'models' | 'guards'> {
  project_id: string | null;
  /** The user who has the plan: the user itself, or the one that represents the user's project. */
  holder: string;
  changes_at: Date | null;
  limits: (LimitValueRow & { scope: LimitScope })[] | null;
  budgeted: string[];
}

/** $1: user ids. → `CurrentPlanRow` */
export const PLANS_OF_USERS = currentPlans('unnest($1::uuid[]) AS u (id)');

/** The plan of every user. → `CurrentPlanRow` */
export const CURRENT_PLANS = currentPlans('users AS u');

/** The number of users of each plan that has any; users that represent projects are not counted. */
export const USERS_BY_PLAN = `
  SELECT id, count(*)::int AS users FROM (${currentPlans("(SELECT id FROM users WHERE kind <> 'project') AS u")}) AS current
  GROUP BY id`;

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

/** $1: ids of users, keys and projects without limits. */
export const FORGET_BUDGETS = 'SELECT limit_forget($1::uuid[])';

/** Serializes the changes of one user, and gives the user's name for the audit log. */
export async function lockUser(manager: EntityManager, userId: string): Promise<string> {
  const query = 'SELECT coalesce(email, name) AS label FROM users WHERE id = $1 FOR UPDATE';
  const [user]: { label: string }[] = await manager.query(query, [userId]);
  if (!user) throw new NotFoundError('The user does not exist.');
  return user.label;
}
