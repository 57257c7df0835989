import { Autocomplete, Button, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { foundUsersQuery } from '../../api/found-users';
import type { ProjectRole } from '../../api/projects';
import { useSession } from '../../api/session';
import { DialogEnd } from '../../kit/dialog-end';
import { notifyDone } from '../../kit/notify';
import { addMember } from './project-api';

const TYPING_MS = 200;
const OFFERED = 20;

interface AddMemberDialogProps {
  projectId: string;
  opened: boolean;
  onClose: () => void;
}

export function AddMemberDialog({ opened, onClose, projectId }: AddMemberDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add a member">
      <MemberForm projectId={projectId} onClose={onClose} />
    </Modal>
  );
}

function MemberForm({ projectId, onClose }: Omit<AddMemberDialogProps, 'opened'>) {
  const isAdmin = useSession().user.role === 'admin';
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<ProjectRole>('member');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim() === '') return setFault('Enter an e-mail address');
    setBusy(true);
    setFault(null);
    try {
      await addMember(projectId, email.trim(), role);
      notifyDone(`${email.trim()} is now a ${role} of the project`);
      onClose();
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  const field = { label: 'E-mail address', value: email, required: true, error: fault, 'data-autofocus': true };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {isAdmin ? (
          <PersonSearch {...field} onChange={setEmail} />
        ) : (
          <TextInput
            {...field}
            description="The person must have an account already."
            type="email"
            autoComplete="off"
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        <Stack gap={6}>
          <Text size="sm" fw={500} id={id}>
            Role
          </Text>
          <SegmentedControl<ProjectRole>
            aria-labelledby={id}
            value={role}
            onChange={setRole}
            data={[
              { value: 'member', label: 'Member' },
              { value: 'manager', label: 'Manager' },
            ]}
          />
          <Text size="xs" c="dimmed">
            Managers make keys, add people and set limits; members see all of it.
          </Text>
        </Stack>
        <DialogEnd fault={null} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            Add member
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

interface PersonSearchProps {
  label: string;
  value: string;
  required: boolean;
  error: string | null;
  onChange: (email: string) => void;
}

/**
 * The gateway searches by name and address; only administrators can see all users. Enter only chooses a person, as the
 * role is yet to be chosen.
 */
function PersonSearch({ value, ...props }: PersonSearchProps) {
  const [q] = useDebouncedValue(value.trim(), TYPING_MS);
  const { data = [] } = useQuery(foundUsersQuery({ q, status: ['active', 'invited'], limit: OFFERED }));
  // Nobody can choose from the results of an earlier text.
  const isCurrent = q === value.trim();
  const emails = data.flatMap(({ kind, email }) => (kind === 'person' && email ? [email] : []));
  return (
    <Autocomplete
      {...props}
      description="Search by name or address."
      value={value}
      data={isCurrent ? [...new Set(emails)] : []}
      filter={({ options }) => options}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
