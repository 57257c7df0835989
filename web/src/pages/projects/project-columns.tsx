import FileLock from 'icon:file-lock';
import { Badge, Group, Text } from '@mantine/core';
import { api, unwrap } from '../../api/client';
import { type ProjectDetail, type ProjectRole, type ProjectView, refreshProjects } from '../../api/projects';
import type { components } from '../../api/schema';
import type { Column } from '../../kit/data-table-rows';
import { Money, RelativeTime } from '../../kit/figures';
import { ShareBar } from '../../kit/limit-bars';
import { formatNumber, formatUsdTogether, plural } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import { StatusBadge } from '../../kit/status-badge';
import classes from './projects.module.css';

export type LimitsChange = components['schemas']['LimitsDto'];
type AccountChange = components['schemas']['ServiceAccountDto'];

export type NewProject = components['schemas']['CreateProjectDto'];

export function createProject(body: NewProject): Promise<ProjectDetail> {
  return changed(unwrap(api.POST('/api/projects/complete', { body })));
}

export function renameProject(id: string, name: string): Promise<ProjectDetail> {
  return changed(unwrap(api.PATCH('/api/projects/{id}', { params: { path: { id } }, body: { name } })));
}

export function archiveProject(id: string): Promise<ProjectDetail> {
  return changed(unwrap(api.POST('/api/projects/{id}/archive', { params: { path: { id } } })));
}

export function addMember(id: string, email: string, role: ProjectRole): Promise<unknown> {
  return changed(unwrap(api.POST('/api/projects/{id}/members', { params: { path: { id } }, body: { email, role } })));
}

export function setRole(id: string, userId: string, role: ProjectRole): Promise<unknown> {
  const params = { path: { id, userId } };
  return changed(unwrap(api.PUT('/api/projects/{id}/members/{userId}', { params, body: { role } })));
}

export function removeMember(id: string, userId: string): Promise<unknown> {
  return changed(unwrap(api.DELETE('/api/projects/{id}/members/{userId}', { params: { path: { id, userId } } })));
}

export function setLimits(id: string, body: LimitsChange): Promise<unknown> {
  return changed(unwrap(api.PUT('/api/projects/{id}/limits', { params: { path: { id } }, body })));
}

export function switchContentLog(id: string, on: boolean): Promise<unknown> {
  return changed(unwrap(api.PUT('/api/projects/{id}/content-log', { params: { path: { id } }, body: { on } })));
}

export function createAccount(id: string, name: string): Promise<unknown> {
  const params = { path: { id } };
  return changed(unwrap(api.POST('/api/projects/{id}/service-accounts', { params, body: { name } })));
}

export function updateAccount(id: string, accountId: string, body: AccountChange): Promise<unknown> {
  const params = { path: { id, accountId } };
  return changed(unwrap(api.PATCH('/api/projects/{id}/service-accounts/{accountId}', { params, body })));
}

/** Shows the result of a change everywhere. */
async function changed<T>(change: Promise<T>): Promise<T> {
  const result = await change;
  await refreshProjects();
  return result;
}

export const PROJECT_SORTS = ['name', 'created', 'spent'] as const;

export const ROLE_NAMES = { manager: 'Manager', member: 'Member' } as const;

const MONEY_DECIMALS = 4;

export const projectColumns: Column<ProjectView>[] = [
  {
    key: 'name',
    header: 'Project',
    onCard: 'title',
    isSortable: true,
    cell: (project) => (
      <div className={classes.name}>
        <TextLink to="/projects/$id" params={{ id: project.id }} size="sm" fw={500}>
          {project.name}
        </TextLink>
        <ProjectBadges project={project} />
      </div>
    ),
  },
  {
    key: 'role',
    header: 'Your role',
    narrow: 'hide',
    cell: ({ role }) => (role ? ROLE_NAMES[role] : 'None'),
  },
  {
    key: 'managers',
    header: 'Managers',
    cell: ({ managers, managerCount, members }) => (
      <div className={classes.managers}>
        {managers.length === 0 ? '–' : managers.join(', ')}
        {managerCount > managers.length && ` and ${managerCount - managers.length} more`}
        <Text size="xs" c="dimmed">
          {plural(members, 'member')}
        </Text>
      </div>
    ),
  },
  { key: 'keys', header: 'Active keys', align: 'right', narrow: 'wide', cell: ({ keys }) => formatNumber(keys) },
  {
    key: 'spent',
    header: 'This month',
    align: 'right',
    isSortable: true,
    cell: ({ spentThisMonth }) => <Money usd={spentThisMonth.costUsd} decimals={MONEY_DECIMALS} />,
  },
  {
    key: 'budget',
    header: 'Budget',
    cell: ({ name, budgets }) => (budgets.length === 0 ? '–' : <ProjectBudgets name={name} budgets={budgets} />),
  },
  {
    key: 'plan',
    header: 'Plan',
    cell: ({ plan }) => <Badge color={plan.since ? 'iris' : 'gray'}>{plan.name}</Badge>,
  },
  {
    key: 'created',
    header: 'Created',
    narrow: 'wide',
    onCard: 'hide',
    isSortable: true,
    cell: ({ createdAt }) => <RelativeTime value={createdAt} as="date" />,
  },
];

const PERIODS = { day: 'per day', month: 'per month', total: 'in total' } as const;

function ProjectBudgets({ name, budgets }: Pick<ProjectView, 'name' | 'budgets'>) {
  return (
    <div className={classes.budgets}>
      {budgets.map(({ period, amountUsd, spentUsd }) => {
        const share = amountUsd === 0 ? 1 : spentUsd / amountUsd;
        return (
          <div key={period}>
            {formatUsdTogether([spentUsd, amountUsd]).join(' of ')} {PERIODS[period]}
            <ShareBar share={share} name={`Budget of ${name} ${PERIODS[period]}`} verb="spent" height={4} />
          </div>
        );
      })}
    </div>
  );
}

/** What is unusual about a project. */
export function ProjectBadges({ project: { archivedAt, logsContent } }: { project: ProjectView }) {
  if (!archivedAt && !logsContent) return null;
  return (
    <Group gap="xs">
      {archivedAt && <StatusBadge tone="neutral">Archived</StatusBadge>}
      {logsContent && (
        <span title="Prompts and answers of all its keys are stored, encrypted.">
          <StatusBadge tone="warn" icon={FileLock}>
            Content stored
          </StatusBadge>
        </span>
      )}
    </Group>
  );
}
