import { Checkbox, Stack } from '@mantine/core';
import { useSession } from '../api/session';
import type { Permission } from './tokens-api';

interface PermissionChoiceProps {
  label: string;
  permissions: readonly Permission[];
  value: string[];
  onChange: (value: string[]) => void;
}

export function PermissionChoice({ label, permissions, value, onChange }: PermissionChoiceProps) {
  const isAdmin = useSession().user.role === 'admin';
  return (
    <Checkbox.Group label={label} value={value} onChange={onChange}>
      <Stack gap={6} mt={6}>
        {permissions.map(({ id, description }) => (
          <Checkbox key={id} value={id} label={description} description={isAdmin && id} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
