import { usageQuestions } from './usage-questions.ts';

/** A query of the console. */
export interface GrowthQuestion {
  title: string;
  who: 'admin' | 'member';
  path: string;
}

const DAY_MS = 86_400_000;

/**
 * Every report and list of the console that grows, as of now, for an administrator and for a member with many calls.
 */
export function growthQuestions(now: Date): GrowthQuestion[] {
  const from = (days: number) => `from=${new Date(now.getTime() - days * DAY_MS).toISOString()}`;
  const to = `to=${new Date(now.getTime() + DAY_MS).toISOString()}`;
  const admin = (title: string, path: string): GrowthQuestion => ({ title, who: 'admin', path });
  const member = (title: string, path: string): GrowthQuestion => ({
    title: `a member's ${title}`,
    who: 'member',
    path,
  });
  const all = `scope=all&${to}`;
  return [
    ...usageQuestions(now),
    admin('90 days by user by day', `/api/usage?${all}&${from(90)}&groupBy=user`),
    admin('90 days by key by hour', `/api/usage?${all}&${from(90)}&groupBy=key&granularity=hour`),
    member('90 days by status by hour', `/api/usage?${to}&${from(90)}&groupBy=status&granularity=hour`),
    admin('requests: interrupted', `/api/usage/calls?${all}&${from(90)}&statuses=interrupted`),
    admin('requests: failed', `/api/usage/calls?${all}&${from(90)}&statuses=failed`),
    admin('requests: an unused model', `/api/usage/calls?${all}&${from(90)}&models=never-called`),
    admin('requests: one model', `/api/usage/calls?${all}&${from(90)}&models=gpt-5.4-nano`),
    admin('own requests of a user without any', `/api/usage/calls?${to}&${from(90)}`),
    member('requests', `/api/usage/calls?${to}&${from(90)}`),
    member('requests of one model', `/api/usage/calls?${to}&${from(90)}&models=gpt-5.4-nano`),
    admin('overview, own', '/api/overview'),
    admin('overview, of all', '/api/overview?scope=all'),
    member('overview', '/api/overview'),
    admin('keys of all', '/api/keys?scope=all'),
    member('keys', '/api/keys'),
    admin('users', '/api/users'),
    admin('audit log', '/api/audit'),
    admin('audit log: a rare action', '/api/audit?action=user.delete'),
    admin('actions of the audit log', '/api/audit/actions'),
    admin('models', '/api/models'),
    admin('upstreams', '/api/upstreams'),
    admin('plans', '/api/plans'),
    admin('settings', '/api/settings'),
  ];
}
