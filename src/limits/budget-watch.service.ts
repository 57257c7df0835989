import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Alert } from '../alerts/alert.types.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { chatText, toUsd } from '../common/text.js';
import { DatabaseService } from '../database/database.service.js';
import type { BudgetPeriod } from '../ledger/call-record.types.js';
import { logFailure } from '../telemetry/failure-log.js';
import { LimitsService, type OverCeiling, type UsedUp } from './limits.service.js';

interface RefusalRow {
  readonly id: string;
  readonly period: BudgetPeriod;
  readonly least: string;
}

/** SQL: the first day of the current period. `period`: an expression for its name. */
export const startOfPeriod = (period: string) => `
  CASE ${period} WHEN 'day' THEN (now() AT TIME ZONE 'UTC')::date
    WHEN 'month' THEN date_trunc('month', now() AT TIME ZONE 'UTC')::date ELSE '-infinity'::date END`;

/** Keeps the smallest reservation of the period. $1 to $3: balance, period, nano-dollars. */
const NOTE = `
  INSERT INTO budget_refusals AS r (balance_id, period, since, least_nanodollars)
  VALUES ($1, $2, ${startOfPeriod('$2::text')}, $3)
  ON CONFLICT (balance_id, period) DO UPDATE SET since = excluded.since,
    least_nanodollars = CASE WHEN r.since = excluded.since
      THEN least(r.least_nanodollars, excluded.least_nanodollars) ELSE excluded.least_nanodollars END`;

const CURRENT = `
  SELECT balance_id AS id, period, least_nanodollars AS least FROM budget_refusals
  WHERE balance_id = ANY ($1::uuid[]) AND since = ${startOfPeriod('period')}`;

/** Which reservations budgets have refused because less than that was left. */
@Injectable()
export class BudgetRefusalsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async note({ id, period, required }: UsedUp): Promise<void> {
    await this.dataSource.query(NOTE, [id, period, Math.ceil(required)]);
  }

  /** The smallest refused reservation of the current period in US dollars, by the id of the user, key or project. */
  async of(ids: readonly string[]): Promise<Map<string, Partial<Record<BudgetPeriod, number>>>> {
    const rows: RefusalRow[] = await this.dataSource.query(CURRENT, [ids]);
    const found = new Map<string, Partial<Record<BudgetPeriod, number>>>();
    for (const { id, period, least } of rows) {
      found.set(id, { ...found.get(id), [period]: Number(toUsd(BigInt(least))) });
    }
    return found;
  }
}

/** A refused reservation that the rest of the budget still does not cover; null if there is none. */
export function uncoveredUsd(refusedUsd: number | undefined, amountUsd: number, spentUsd: number): number | null {
  if (refusedUsd === undefined) return null;
  const restUsd = Number((amountUsd - spentUsd).toFixed(9));
  return restUsd < refusedUsd ? refusedUsd : null;
}

const LOOK_MS = 5000;

@Injectable()
export class BudgetWatchService {
  private readonly logger = new Logger('Budgets');
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
    private readonly refusals: BudgetRefusalsService,
    limits: LimitsService,
    database: DatabaseService,
  ) {
    limits.overCeiling.subscribe((event) => this.alertOverCeiling(event));
    limits.usedUp.subscribe((budget) => void this.noteUsedUp(budget));
    database.beforeReadyInFirst(async () => {
      this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private look(): void {
    this.looking ??= this.alertCrossings(null).finally(() => {
      this.looking = null;
    });
  }

  private async noteUsedUp(budget: UsedUp): Promise<void> {
    try {
      await this.refusals.note(budget);
    } catch (error) {
      logFailure(this.logger, 'The refusal of a budget could not be stored', error);
    }
    await this.alertCrossings(budget);
  }

  private async alertCrossings(usedUp: UsedUp | null): Promise<void> {
    try {
      const one = [usedUp?.id ?? null, usedUp?.period ?? null];
      const crossings: Crossing[] = await this.dataSource.query(CROSSINGS, one);
      for (const crossing of crossings) this.alerts.alert(toAlert(crossing));
    } catch (error) {
      logFailure(this.logger, 'Budgets could not be checked', error);
    }
  }

  /** At most once an hour for each upstream, as an upstream that exceeds a ceiling usually does so repeatedly. */
  private alertOverCeiling({ upstream, requestId, at }: OverCeiling): void {
    const subject = upstream ?? 'simulator';
    this.alerts.alert({
      type: 'over_ceiling',
      subject,
      text: chatText`A call to ${subject} cost more than was reserved for it and was charged in full, so its budget may be exceeded: see request ${requestId}.`,
      topic: `over_ceiling:${subject}:${at.toISOString().slice(0, 13)}`,
    });
  }
}

interface Crossing {
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
const CROSSINGS = `
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

function toAlert({ topic, percent, owner, keyId, keyName, projectName, ...budget }: Crossing): Alert {
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
