import type { Alert } from '../alerts/alert.types.js';
import { chatText } from '../common/chat-text.js';
import { toUsd } from '../common/usd.js';
import type { BudgetPeriod } from '../ledger/rows/admission.types.js';

export interface Crossing {
  readonly topic: string;
  readonly percent: 80 | 100;
  /** E-mail address of the user or the key's owner, or the name if there is none. Null for a project. */
  readonly owner: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  /** Set if a project's own budget was crossed. */
  readonly projectName: string | null;
  readonly period: BudgetPeriod;
  /** `2026-11-22`, `2026-11` or `ever` */
  readonly since: string;
  readonly cap: string;
  readonly spent: string;
  readonly resetsAt: Date | null;
}

/**
 * At most one crossing for each user or project, period and percentage. Crossings of keys count as their owner's, so
 * that many keys cause no extra alerts. A new amount of the user's own budget allows a new crossing; users cannot
 * change it themselves.
 *
 * Covers every budget, or only the period `$2` of the balance `$1` when that has just refused a call. In the second
 * case, half of the budget counts as 100 %, since the rest may be too little for a call. Crossings with a sent alert
 * are left out.
 */
export const CROSSINGS = `
  SELECT DISTINCT ON (topic COLLATE "C") * FROM (
    SELECT 'budget:' || CASE b.kind WHEN 'project' THEN 'project:' || b.id ELSE 'user:' || u.id END || ':' || p.period || ':' || p.since || ':' || l.percent || ':' || coalesce(
        CASE p.period WHEN 'day' THEN o.cap_day WHEN 'month' THEN o.cap_month ELSE o.cap_total END, 0) AS topic,
      l.percent, coalesce(u.email, u.name) AS owner, g.name AS "projectName", k.id AS "keyId", k.name AS "keyName", p.period, p.since, p.cap, p.spent,
      p.ends AT TIME ZONE 'UTC' AS "resetsAt"
    FROM limit_balances AS b
    CROSS JOIN (SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AS today) AS t
    CROSS JOIN LATERAL (VALUES
      ('day', to_char(t.today, 'YYYY-MM-DD'), b.cap_day, b.spent_day, b.day = t.today, t.today + interval '1 day'),
      ('month', to_char(t.today, 'YYYY-MM'), b.cap_month, b.spent_month, b.month = date_trunc('month', t.today),
        date_trunc('month', t.today) + interval '1 month'),
      ('total', 'ever', b.cap_total, b.spent_total, true, NULL)
    ) AS p (period, since, cap, spent, is_now, ends)
    CROSS JOIN (VALUES (80), (100)) AS l (percent)
    LEFT JOIN api_keys AS k ON b.kind = 'key' AND k.id = b.id
    LEFT JOIN projects AS g ON b.kind = 'project' AND g.id = b.id
    LEFT JOIN users AS u ON u.id = CASE b.kind WHEN 'user' THEN b.id ELSE k.user_id END
    LEFT JOIN limit_balances AS o ON (b.kind = 'project' AND o.id = b.id) OR (o.kind = 'user' AND o.id = u.id)
    WHERE (u.id IS NOT NULL OR g.id IS NOT NULL) AND p.cap > 0 AND p.is_now AND ($1::uuid IS NULL OR (b.id, p.period) = ($1, $2::text))
      AND p.spent >= CASE
        WHEN l.percent = 80 THEN p.cap - p.cap / 5 WHEN $1::uuid IS NULL THEN p.cap ELSE p.cap - p.cap / 2
      END
  ) AS c
  WHERE NOT EXISTS (SELECT FROM alert_topics WHERE topic = c.topic)
  ORDER BY topic COLLATE "C" DESC, "keyId" NULLS FIRST`;

export function toAlert({ topic, percent, owner, keyId, keyName, projectName, ...budget }: Crossing): Alert {
  const { period, since, cap, spent, resetsAt } = budget;
  const whose =
    projectName !== null
      ? chatText`The project ${projectName}`
      : keyId === null
        ? chatText`${owner ?? ''}`
        : chatText`The key "${keyName ?? ''}" of ${owner ?? ''}`;
  const which = period === 'total' ? 'total budget' : `budget for ${since}`;
  const amount = `$${toUsd(BigInt(spent))} of $${toUsd(BigInt(cap))}`;
  const end = resetsAt ? ` It resets at ${resetsAt.toISOString()}.` : '';
  const text =
    percent === 80
      ? `${whose} has spent 80 % of the ${which}: ${amount}.${end}`
      : `${whose} has used up the ${which}: ${amount}. The rest does not cover another call.${end}`;
  return { type: `budget_${percent}`, subject: projectName ?? keyId ?? owner ?? '', text, topic };
}
