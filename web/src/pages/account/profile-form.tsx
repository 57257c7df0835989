import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { notifyDone } from '../../kit/notify';
import { Refusal } from '../../kit/refusal';
import { type Account, accountQuery } from './account-queries';

export function ProfileForm({ account }: { account: Account }) {
  const [name, setName] = useState(account.name);
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () => unwrap(api.PATCH('/api/account', { body: { name } })),
    onSuccess: (changed) => {
      setName(changed.name);
      queries.setQueryData(accountQuery.queryKey, changed);
      void queries.invalidateQueries({ queryKey: ['session'] });
      notifyDone('Your name was changed.');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rename.isPending) rename.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={420}>
        <Refusal error={rename.error} />
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="E-mail"
          value={account.email}
          readOnly
          description="You sign in with it; it cannot be changed."
        />
        <Group>
          <Button type="submit" loading={rename.isPending} disabled={name.trim() === account.name}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
