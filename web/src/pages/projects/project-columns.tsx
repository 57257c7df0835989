import FileLock from 'icon:file-lock';
import { Badge, Group } from '@mantine/core';
import type { ProjectView } from '../../api/projects';
import type { Column } from '../../kit/data-table.types';
import { TextLink } from '../../kit/links';
import { Money } from '../../kit/money';
import { formatNumber } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { StatusBadge } from '../../kit/status-badge';
import classes from './projects.module.css';

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
    cell: ({ role }) => (role ? ROLE_NAMES[role] : 'None'),
  },
  { key: 'members', header: 'Members', align: 'right', cell: ({ members }) => formatNumber(members) },
  { key: 'keys', header: 'Active keys', align: 'right', cell: ({ keys }) => formatNumber(keys) },
  {
    key: 'spent',
    header: 'This month',
    align: 'right',
    isSortable: true,
    cell: ({ spentThisMonth }) => <Money usd={spentThisMonth.costUsd} decimals={MONEY_DECIMALS} />,
  },
  {
    key: 'plan',
    header: 'Plan',
    cell: ({ plan }) => <Badge color={plan.since ? 'irisScale' : 'gray'}>{plan.name}</Badge>,
  },
  {
    key: 'created',
    header: 'Created',
    narrow: 'hide',
    onCard: 'hide',
    isSortable: true,
    cell: ({ createdAt }) => <RelativeTime value={createdAt} as="date" />,
  },
];

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
