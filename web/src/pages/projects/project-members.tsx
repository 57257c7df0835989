import UserPlus from 'icon:user-plus';
import Users from 'icon:users';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ProjectDetail, type ProjectMember, projectQuery } from '../../api/projects';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table.types';
import { EmptyState } from '../../kit/empty-state';
import { notifyDone, notifyError } from '../../kit/notify';
import { onDemand } from '../../kit/on-demand';
import { removeMember, setRole } from './project-api';
import { ROLE_NAMES } from './project-columns';

const AddMemberDialog = onDemand(
  () => import('./add-member-dialog').then((module) => module.AddMemberDialog),
  ({ opened }) => opened,
  { opened: false },
);
const ConfirmDialog = onDemand(
  () => import('../../kit/confirm-dialog').then((module) => module.ConfirmDialog),
  ({ opened }) => opened,
  { opened: false },
);

const COLUMNS: Column<ProjectMember>[] = [
  {
    key: 'email',
    header: 'Person',
    onCard: 'title',
    sortValue: ({ email }) => email,
    cell: ({ email, name, disabled }) => (
      <Stack gap={0}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
        {(name || disabled) && (
          <Text size="xs" c="dimmed">
            {[name, disabled && 'Account disabled'].filter(Boolean).join(' · ')}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: 'role', header: 'Role', sortValue: ({ role }) => role, cell: ({ role }) => ROLE_NAMES[role] },
  {
    key: 'source',
    header: 'Added by',
    cell: ({ source }) => (source === 'oidc' ? 'A single sign-on group' : 'A manager or administrator'),
  },
];

const searchText = ({ email, name }: ProjectMember) => `${email} ${name}`;

/** The people of a project, and their roles. Members that single sign-on added are removed only by single sign-on. */
export function ProjectMembers({ project }: { project: ProjectDetail }) {
  const { id, canManage, archivedAt } = project;
  const query = useQuery({ ...projectQuery(id), select: ({ memberList }) => memberList });
  const [isAdding, setAdding] = useState(false);
  const [leaver, setLeaver] = useState<ProjectMember | null>(null);
  const [isAsking, setAsking] = useState(false);
  const canChange = canManage && archivedAt === null;
  const add = canChange && (
    <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add member
    </Button>
  );
  const remove = (member: ProjectMember) => {
    setLeaver(member);
    setAsking(true);
  };
  return (
    <>
      {project.members > 0 && add && (
        <Group justify="flex-end" mb="sm">
          {add}
        </Group>
      )}
      <DataTable
        label="members"
        query={query}
        columns={COLUMNS}
        rowKey={({ userId }) => userId}
        rowLabel={({ email }) => email}
        defaultSort={{ key: 'email', descending: false }}
        searchText={searchText}
        menu={
          canChange
            ? (member, Menu) => (
                <>
                  <Menu.Item onClick={() => void switchRole(id, member)}>
                    {member.role === 'manager' ? 'Make a member' : 'Make a manager'}
                  </Menu.Item>
                  {member.source === 'local' ? (
                    <Menu.Item color="red" onClick={() => remove(member)}>
                      Remove
                    </Menu.Item>
                  ) : (
                    <Menu.Item disabled>Removed by single sign-on</Menu.Item>
                  )}
                </>
              )
            : undefined
        }
        empty={
          <EmptyState icon={Users} title="No members yet" action={add}>
            Managers make keys, add people and set limits; members see all of it.
          </EmptyState>
        }
      />
      <AddMemberDialog opened={isAdding} projectId={id} onClose={() => setAdding(false)} />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${leaver?.email}?`}
        confirmLabel="Remove"
        isDangerous
        onConfirm={() => removeMember(id, leaver?.userId ?? '')}
      >
        The person loses access to the project. Its keys keep working: rotate the ones this person knows.
      </ConfirmDialog>
    </>
  );
}

async function switchRole(id: string, { userId, email, role }: ProjectMember): Promise<void> {
  const next = role === 'manager' ? 'member' : 'manager';
  try {
    await setRole(id, userId, next);
    notifyDone(`${email} is a ${next} now`);
  } catch (error) {
    notifyError(error);
  }
}
