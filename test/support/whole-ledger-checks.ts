/** The checks of balances and budgets as one statement each over the whole ledger; slices must agree with them. */
const SURELY_CHARGED = "interval '60 s'";
const PERIODS = { day: '(admitted_at AT TIME ZONE $$UTC$$)::date = b.day', month: ofMonth(), total: 'true' };

export const WHOLE_LEDGER_CHECKS = [
  `SELECT format('call %s has %s rows', id, count(*)) AS fault FROM usage_calls GROUP BY id HAVING count(*) > 1`,
  balanceCheck(),
  budgetCheck(),
];

function ofMonth(): string {
  return 'date_trunc($$month$$, admitted_at AT TIME ZONE $$UTC$$) = b.month';
}

function balanceCheck(): string {
  const periods = Object.entries(PERIODS);
  const sums = periods.flatMap(([period, condition]) => [
    `coalesce(sum(u.cost_nanodollars) FILTER (WHERE u.status <> 'open' AND ${condition}), 0) AS charged_${period}`,
    `coalesce(sum(u.reserved_nanodollars) FILTER (WHERE u.status = 'open' AND ${condition}), 0) AS held_${period}`,
  ]);
  const reported = periods.flatMap(([period]) => [
    `('spent (${period})', s.spent_${period}::numeric, s.base_${period} + s.charged_${period})`,
    `('reserved (${period})', s.reserved_${period}, s.held_${period})`,
  ]);
  return `
    SELECT format('balance %s of a %s: %s is %s, its calls have %s', s.id, s.kind, name, found, wanted) AS fault
    FROM (
      SELECT b.*, count(u.id) FILTER (WHERE u.status = 'open') AS open_calls, ${sums.join(', ')}
      FROM limit_balances AS b
      LEFT JOIN (usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)) ON i.id = b.id
      GROUP BY b.id
    ) AS s
    CROSS JOIN usage_rollup_state
    CROSS JOIN LATERAL (VALUES ('calls in progress', s.running::numeric, s.open_calls), ${reported.join(', ')})
      AS value (name, found, wanted)
    WHERE found <> wanted AND (name <> 'spent (total)' OR dropped_at = 'epoch')`;
}

function budgetCheck(): string {
  const sumOf = (period: string) => `sum(amount) OVER (PARTITION BY balance, ${period} ORDER BY at) AS ${period}_sum`;
  return `
    SELECT format('balance %s: with call %s its calls came to %s of %s nano-dollars (%s)',
      s.balance, s.id, came_to, cap, period) AS fault
    FROM (
      SELECT balance, id, at, is_admission, ${['day', 'month', 'total'].map(sumOf).join(', ')}
      FROM (
        SELECT i.id AS balance, u.id, e.*, (u.admitted_at AT TIME ZONE 'UTC')::date AS day,
          date_trunc('month', u.admitted_at AT TIME ZONE 'UTC') AS month, true AS total
        FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
        CROSS JOIN LATERAL (VALUES
          (u.admitted_at, u.reserved_nanodollars > 0,
            CASE u.status WHEN 'open' THEN u.reserved_nanodollars ELSE least(u.cost_nanodollars, u.reserved_nanodollars) END),
          (greatest(u.admitted_at, u.started_at + coalesce(u.total_ms, 0) * interval '1 ms') + ${SURELY_CHARGED}, false,
            greatest(0, u.cost_nanodollars - u.reserved_nanodollars))
        ) AS e (at, is_admission, amount)
        WHERE u.reserved_nanodollars IS NOT NULL
      ) AS events
    ) AS s
    CROSS JOIN LATERAL (
      SELECT cap_day, cap_month, cap_total FROM limit_caps
      WHERE limit_caps.id = s.balance AND since <= s.at ORDER BY since DESC LIMIT 1
    ) AS caps
    CROSS JOIN LATERAL (VALUES ('day', day_sum, cap_day), ('month', month_sum, cap_month), ('total', total_sum, cap_total))
      AS value (period, came_to, cap)
    WHERE s.is_admission AND came_to > cap`;
}
