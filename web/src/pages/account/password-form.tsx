import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { MIN_PASSWORD_LENGTH, NewPasswordField } from '../../kit/new-password-field';
import { notifyDone } from '../../kit/notify';
import { Refusal } from '../../kit/refusal';
import { useWait } from '../../kit/use-wait';
import { accountSessionsQuery } from './account-queries';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordForm({ email }: { email: string }) {
  const [fields, setFields] = useState(EMPTY);
  const queries = useQueryClient();
  const change = useMutation({
    gcTime: 0,
    mutationFn: () => unwrap(api.POST('/api/account/password', { body: fields })),
    onSuccess: () => {
      setFields(EMPTY);
      void queries.invalidateQueries({ queryKey: accountSessionsQuery.queryKey });
      notifyDone('Your password was changed. You are signed out everywhere else.');
    },
  });
  const wait = useWait(change.error);
  const wrong = change.error instanceof ApiError && change.error.param === 'currentPassword';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={420}>
        <Refusal error={wrong ? null : change.error} wait={wait} />
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          name="current-password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          error={wrong ? change.error?.message : null}
          value={fields.currentPassword}
          onChange={({ currentTarget: { value } }) => setFields((now) => ({ ...now, currentPassword: value }))}
        />
        <NewPasswordField
          label="New password"
          value={fields.newPassword}
          onChange={(newPassword) => setFields((now) => ({ ...now, newPassword }))}
        />
        <Group>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={fields.newPassword.length < MIN_PASSWORD_LENGTH || wait > 0}
          >
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
