import ShieldX from 'icon:shield-x';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { Page } from '../../kit/page';
import { EmptyState } from '../../kit/states';
import { type Permission, permissionsQuery } from '../../tokens/tokens-api';

const REACHES = { all: 'everything', project: 'in the project', own: 'own' } as const;

/** Which role may do what. */
export function RolesPage() {
  const isAdmin = useSession().user.role === 'admin';
  const query = useQuery(permissionsQuery);
  const roles = [...new Set(query.data?.flatMap((one) => one.roles.map(({ role }) => role)))];
  return (
    <Page
      title="Roles and permissions"
      description="Access tokens have those of their scopes that their owner has. Service accounts have what administrators give them."
    >
      <DataTable
        label="permissions"
        query={query}
        columns={[permissionColumn(isAdmin), ...roles.map(columnOf)]}
        rowKey={({ id }) => id}
        rowLabel={({ description }) => description}
        searchText={searchText}
        empty={<EmptyState icon={ShieldX} title="No permissions" />}
      />
    </Page>
  );
}

const searchText = ({ id, description }: Permission) => `${id} ${description}`;

/** Administrators also see the name that the API has for it. */
function permissionColumn(isAdmin: boolean): Column<Permission> {
  return {
    key: 'permission',
    header: 'Permission',
    onCard: 'title',
    cell: ({ id, description }) => (
      <Stack gap={0}>
        <Text size="sm" fw={500}>
          {description}
        </Text>
        {isAdmin && (
          <Text size="xs" c="dimmed">
            {id}
          </Text>
        )}
      </Stack>
    ),
  };
}

function columnOf(role: string): Column<Permission> {
  return {
    key: role,
    header: role.replace(/^./, (first) => first.toUpperCase()),
    cell: ({ roles }) => {
      const reach = roles.find((one) => one.role === role)?.reach;
      return reach ? REACHES[reach] : '–';
    },
  };
}
