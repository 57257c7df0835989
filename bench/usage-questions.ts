const DAY_MS = 86_400_000;

/** A query of a page of the console. */
export interface UsagePageQuestion {
  title: string;
  who: 'admin' | 'member';
  path: string;
}

/** The usage page in its usual and most expensive forms, as of now. */
export function usageQuestions(now: Date): UsagePageQuestion[] {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const to = new Date(now.getTime() + DAY_MS).toISOString();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  const ask = (
    title: string,
    who: 'admin' | 'member',
    path: string,
    query: Record<string, string>,
  ): UsagePageQuestion => ({
    title,
    who,
    path: `/api/usage${path}?${new URLSearchParams({ to, ...query, ...(who === 'admin' && { scope: 'all' }) })}`,
  });
  const admin = (title: string, query: Record<string, string>) => ask(title, 'admin', '', query);
  const member = (title: string, query: Record<string, string>) => ask(title, 'member', '', query);
  return [
    admin('today by model', { from: before(1), groupBy: 'model', compare: 'true' }),
    admin('30 days by model by day', { from: before(30), groupBy: 'model', zone: 'Europe/Berlin', compare: 'true' }),
    admin('30 days by user by day', { from: before(30), groupBy: 'user', zone: 'Asia/Kolkata', compare: 'true' }),
    admin('90 days by key by day', { from: before(90), groupBy: 'key', zone: 'Europe/Berlin' }),
    admin('90 days by model by day', { from: before(90), groupBy: 'model', zone: 'America/New_York' }),
    admin('this month by status by hour', { from: monthStart, groupBy: 'status', granularity: 'hour' }),
    admin('90 days, totals with comparison', { from: before(45), compare: 'true' }),
    admin('30 days of one model by key', { from: before(30), groupBy: 'key', models: 'gpt-5.4-nano' }),
    member("a busy member's own 30 days by model", {
      from: before(30),
      groupBy: 'model',
      zone: 'Europe/Berlin',
      compare: 'true',
    }),
    member("a busy member's own 90 days by model", { from: before(90), groupBy: 'model', zone: 'Asia/Kolkata' }),
    member("a busy member's own 30 days by key", { from: before(30), groupBy: 'key', zone: 'Europe/Berlin' }),
    ask('requests, first page', 'admin', '/calls', { from: before(30) }),
    ask("a member's requests, first page", 'member', '/calls', { from: before(30) }),
    ask('requests of one model and upstream', 'admin', '/calls', {
      from: before(90),
      models: 'gpt-5.4-nano',
      upstreams: 'openai',
    }),
    ask('refused requests', 'admin', '/calls', { from: before(90), statuses: 'refused' }),
    ask('requests of 2 minutes or longer', 'admin', '/calls', { from: before(90), minMs: '120000' }),
    ask("a member's requests of $1 or more", 'member', '/calls', { from: before(90), minCostUsd: '1' }),
    ask('histogram of 30 days', 'admin', '/calls/histogram', { from: before(30) }),
    ask("a member's histogram of 30 days", 'member', '/calls/histogram', { from: before(30) }),
    ask('histogram of requests of 2 minutes', 'admin', '/calls/histogram', { from: before(30), minMs: '120000' }),
    ...['status', 'model', 'upstream', 'key', 'user', 'api', 'cost'].map((of) =>
      ask(`filter by ${of}, 30 days`, 'admin', '/calls/facets', { from: before(30), of }),
    ),
    ...['status', 'model', 'key'].map((of) =>
      ask(`a member's filter by ${of}, 30 days`, 'member', '/calls/facets', { from: before(30), of }),
    ),
    ask("a member's failed requests", 'member', '/calls', { from: before(30), statuses: 'failed' }),
  ];
}
