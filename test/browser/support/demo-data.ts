import { ProjectMembersService } from '../../../src/accounts/project-members.service.js';
import { ProjectsService } from '../../../src/accounts/projects.service.js';
import { ServiceAccountsService } from '../../../src/accounts/service-accounts.service.js';
import { UsersService } from '../../../src/accounts/users.service.js';
import type { Alert } from '../../../src/alerts/alert.types.js';
import { AlertsService } from '../../../src/alerts/alerts.service.js';
import { GATEWAY } from '../../../src/audit/audit.types.js';
import type { ApiKeyChanges } from '../../../src/auth/api-key.types.js';
import { ApiKeysService } from '../../../src/auth/api-keys.service.js';
import { PlansService } from '../../../src/billing/plans.service.js';
import { ProjectLimitsService, UserLimitsService } from '../../../src/limits/settings/limit-settings.service.js';
import { CatalogService } from '../../../src/models/catalog.service.js';
import { budgetsCounted } from '../../support/counted-budgets.js';
import { createPartitions } from '../../support/ledger-partitions.js';
import type { TestGateway, TestPerson } from '../../support/test-gateway.js';
import { demoCalls, demoId } from './demo-calls.js';

const DAY = 86_400_000;
/** The project makes one call of so many. */
const FEW = 40;

interface DemoKey {
  id: string;
  userId: string;
}

const ALERTS: Alert[] = [
  {
    type: 'budget_80',
    subject: 'grace@example.com',
    text: 'grace@example.com has spent 80 % of the budget for 2026-11: $40.12 of $50. It resets at 2026-12-01T00:00:00Z.',
  },
  { type: 'target_aside', subject: 'openai', text: 'openai failed too often: it is set aside until it works again.' },
  { type: 'target_back', subject: 'openai', text: 'openai works again.' },
];

export interface DemoData {
  admin: TestPerson;
  member: TestPerson;
  /** Ids of keys with calls. */
  keys: string[];
  /** The id of a project with keys and calls; the administrator manages it, the member belongs to it. */
  project: string;
}

/** A company that has used the gateway for a month: people, keys, a ledger of some thousand calls, errors. */
export async function createDemoData(gateway: TestGateway): Promise<DemoData> {
  const admin = await gateway.createPerson({ email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin' });
  const member = await gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' });
  const leaver = await gateway.createPerson({ email: 'edsger@example.com', name: 'Edsger Dijkstra' });
  const users = gateway.services.get(UsersService);
  const robot = await users.create({ email: 'ci@example.com', name: 'Build pipeline', kind: 'service' }, GATEWAY);
  const plans = gateway.services.get(PlansService);
  await plans.grant(admin.id, 'pro', null, 'console', GATEWAY);
  await plans.grant(member.id, 'pro', new Date(Date.now() + 45 * DAY), 'console', GATEWAY);
  const create = (userId: string, name: string, more: Omit<ApiKeyChanges, 'name'> = {}) =>
    createKey(gateway, userId, name, more);
  const used = [
    await create(admin.id, 'ada-laptop', { note: 'Notebooks and small scripts' }),
    await create(admin.id, 'support-bot', { expiresAt: new Date(Date.now() + 5 * DAY), addresses: ['10.0.0.0/8'] }),
    await create(member.id, 'grace-compiler', { models: ['gpt-6-luna', 'claude-sonnet-5.5'] }),
    await create(member.id, 'batch-jobs'),
    await create(robot.id, 'github-actions', { expiresAt: null }),
  ];
  await create(admin.id, 'data-warehouse-nightly-export-with-a-rather-long-name');
  await create(admin.id, 'old-experiments', { disabled: true });
  const revoked = await create(admin.id, 'leaked-in-a-gist');
  await gateway.services.get(ApiKeysService).revoke({ id: revoked.id }, GATEWAY);
  await create(leaver.id, 'edsger-laptop');
  await users.setDisabled(leaver.email, true, GATEWAY);
  const project = await createProject(gateway, { manager: admin.id, member: member.id });
  await writeLedger(gateway, used, project.keys);
  await setBudgets(gateway, { user: member.id, key: used[2]?.id ?? '', project: project.id });
  for (const alert of ALERTS) gateway.services.get(AlertsService).alert(alert);
  return { admin, member, keys: used.map(({ id }) => id), project: project.id };
}

/** A project with a key, and a service account with another. */
async function createProject(gateway: TestGateway, people: { manager: string; member: string }) {
  const { id, userId } = await gateway.services.get(ProjectsService).create('Search', GATEWAY);
  const members = gateway.services.get(ProjectMembersService);
  await members.set(id, people.manager, 'manager', GATEWAY);
  await members.set(id, people.member, 'member', GATEWAY);
  const account = await gateway.services.get(ServiceAccountsService).create(id, 'Nightly import', GATEWAY);
  const keys = [
    await createKey(gateway, userId, 'search-api', {}),
    await createKey(gateway, account.id, 'nightly-import', {}),
  ];
  return { id, keys };
}

/** After the calls, so that their cost counts. */
async function setBudgets({ services, database }: TestGateway, of: Record<'user' | 'key' | 'project', string>) {
  const budgetMonthNanodollars = 60_000_000_000n;
  await services.get(UserLimitsService).set(of.user, { budgetMonthNanodollars }, GATEWAY);
  const limits = { budgetTotalNanodollars: 1_000_000_000n };
  await services.get(ApiKeysService).update({ id: of.key }, { limits }, GATEWAY);
  const ofProject = { budgetMonthNanodollars: 25_000_000_000n, requestsPerMinute: 600 };
  await services.get(ProjectLimitsService).set(of.project, ofProject, true, GATEWAY);
  await budgetsCounted(database);
}

async function createKey(gateway: TestGateway, userId: string, name: string, more: Omit<ApiKeyChanges, 'name'>) {
  const keys = gateway.services.get(ApiKeysService);
  const { disabled, ...rest } = more;
  const { id } = await keys.create({ name, userId, expiresAt: new Date(Date.now() + 90 * DAY), ...rest }, GATEWAY);
  if (disabled) await keys.update({ id }, { disabled }, GATEWAY);
  return { id, userId };
}

async function writeLedger(gateway: TestGateway, keys: DemoKey[], ofProject: DemoKey[]): Promise<void> {
  const models = gateway.services.get(CatalogService).all();
  const few = demoCalls(ofProject, models, new Date(), 'project call').filter((_, index) => index % FEW === 0);
  const calls = [...demoCalls(keys, models, new Date()), ...few];
  const { database } = gateway;
  const columns = Object.keys(calls[0] ?? {}).join(', ');
  await createPartitions(database, new Date(Date.now() - 90 * DAY), new Date());
  await database.query(
    `INSERT INTO usage_calls (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::usage_calls, $1)`,
    [JSON.stringify(calls)],
  );
  await database.query(
    `UPDATE api_keys SET last_used_at = used.at, last_used_address = '10.1.4.7', last_used_agent = 'OpenAI/Python 3.2.0',
       last_used_model = used.model, created_at = now() - interval '41 days'
     FROM (SELECT DISTINCT ON (key_id) key_id, started_at AS at, model FROM usage_calls ORDER BY key_id, started_at DESC)
       AS used
     WHERE id = used.key_id`,
  );
  const errors = [
    { minutes: 7, status: 429, code: 'upstream_rate_limited', model: 'claude-sonnet-5.5' },
    { minutes: 52, status: 404, code: 'model_not_found', model: 'gpt-6.1-ultra' },
    { minutes: 180, status: 400, code: 'context_length_exceeded', model: 'gpt-6-luna' },
  ];
  for (const [i, { minutes, status, code, model }] of errors.entries()) {
    const { id, userId } = keys[i % 2] ?? { id: null, userId: null };
    await database.query(
      `INSERT INTO recent_errors (at, request_id, key_id, user_id, model, status, code)
       VALUES (now() - make_interval(mins => $1), $2, $3, $4, $5, $6, $7)`,
      [minutes, `req_${demoId(`error ${i}`)}`, id, userId, model, status, code],
    );
    await database.query(
      `INSERT INTO refused_calls (hour, key_id, user_id, model, status, code, calls)
       VALUES (date_trunc('hour', now()), $1, $2, $3, $4, $5, 1)`,
      [id, userId, model, status, code],
    );
  }
}
