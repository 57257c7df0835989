import type { Session } from '../../accounts/session.types.js';
import { invalidRequest } from '../../common/gateway.error.js';
import type { UsageCallFilter, UsageRequestFilter } from '../../usage/reports/usage-call.types.js';
import type { UsageQuestion } from '../../usage/reports/usage-report.types.js';
import { adminOnly } from '../shared/console.errors.js';
import type { CallConditionsQuery, UsageFilterQuery, UsageReportQuery } from './dto/usage-query.dto.js';
import type { ResolvedProjects } from './usage-scope.service.js';

type Granularity = UsageQuestion['granularity'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ranges of more than three days are shown by day. */
const HOURLY_MS = 3 * DAY_MS + HOUR_MS;
/** A chart or table cannot show more points. */
const LONGEST: Record<Granularity, number> = { quarter: 8 * DAY_MS, hour: 94 * DAY_MS, day: 3700 * DAY_MS };

/** The calls of a question: everyone's only for admins, otherwise the caller's own or those of the caller's projects. */
export function toCallFilter(query: UsageFilterQuery & ResolvedProjects, { user }: Session): UsageCallFilter {
  const { projectUsers, scope, models, keys, statuses, apis, upstreams } = query;
  const from = new Date(query.from);
  const to = new Date(query.to);
  if (to <= from) throw invalidRequest('invalid_value', 'to', 'to must be later than from.');
  if (user.role !== 'admin' && (scope === 'all' || query.users !== undefined || upstreams !== undefined))
    throw adminOnly();
  const users = projectUsers ?? (scope === 'all' ? query.users : [user.id]);
  return { from, to, users, keys, models, statuses, apis, upstreams };
}

/** With conditions on single calls. */
export function toRequestFilter(
  query: UsageFilterQuery & CallConditionsQuery & ResolvedProjects,
  session: Session,
): UsageRequestFilter {
  const { stream, simulated, minCostUsd, minMs } = query;
  const where = {
    stream: stream && stream === 'true',
    simulated: simulated && simulated === 'true',
    minCostUsd,
    minMs,
  };
  return { ...toCallFilter(query, session), where };
}

/** What to report about them. */
export function toQuestion(query: UsageReportQuery & ResolvedProjects, session: Session): UsageQuestion {
  const filter = toCallFilter(query, session);
  const { groupBy, rankBy, zone, compare } = query;
  if (session.user.role !== 'admin' && (groupBy === 'user' || groupBy === 'upstream')) throw adminOnly();
  const granularity = granularityOf(query, filter);
  return {
    ...filter,
    zone,
    granularity,
    groupBy: groupBy === 'none' ? null : groupBy,
    rankBy,
    compare: compare === 'true',
  };
}

function granularityOf({ granularity }: UsageReportQuery, { from, to }: UsageCallFilter): Granularity {
  const ms = to.getTime() - from.getTime();
  const chosen = granularity !== 'auto' ? granularity : ms <= HOURLY_MS ? 'hour' : 'day';
  if (ms <= LONGEST[chosen]) return chosen;
  const days = Math.floor(LONGEST[chosen] / DAY_MS);
  throw invalidRequest('invalid_value', 'granularity', `By ${chosen} a report covers at most ${days} days.`);
}
