import Unlink from 'icon:unlink';
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { EmptyState } from '../../kit/empty-state';
import { ButtonLink } from '../../kit/links';
import { MIN_PASSWORD_LENGTH, NewPasswordField } from '../../kit/new-password-field';
import { QueryStates } from '../../kit/query-states';
import { Refusal } from '../../kit/refusal';
import { forgetAddressToken, useAddressToken } from '../../kit/use-address-token';
import { useEntry } from '../../kit/use-entry';
import { CardPage } from '../../shell/card-page';

type Owner = components['schemas']['PasswordLinkOwnerView'];

/** The page of a one-time link: an invitation, or a password reset. */
export function PasswordPage() {
  const token = useAddressToken();
  return <LinkedPassword key={token} token={token} />;
}

function LinkedPassword({ token }: { token: string }) {
  const link = useQuery({
    // The token is not part of the query key, because keys are easy to inspect.
    queryKey: ['password-link'],
    queryFn: ({ signal }) => unwrap(api.POST('/api/password-links/check', { body: { token }, signal })),
    enabled: token !== '',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === '' || (link.error instanceof ApiError && link.error.status === 403)) return <DeadLink />;
  const { data } = link;
  return (
    <CardPage
      title={data && !data.hasPassword ? 'Welcome' : 'Set a new password'}
      description={data && `Choose a password for ${data.email}.`}
    >
      <QueryStates query={link}>{(owner) => <PasswordForm owner={owner} token={token} />}</QueryStates>
    </CardPage>
  );
}

function PasswordForm({ owner, token }: { owner: Owner; token: string }) {
  const [password, setPassword] = useState('');
  const enter = useEntry();
  const save = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      await unwrap(api.POST('/api/password-links/use', { body: { token, password } }));
      forgetAddressToken();
      await enter();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Refusal error={save.error} />
        <TextInput label="E-mail" type="email" name="email" autoComplete="username" value={owner.email} readOnly />
        <NewPasswordField value={password} onChange={setPassword} autoFocus />
        <Button type="submit" fullWidth loading={save.isPending} disabled={password.length < MIN_PASSWORD_LENGTH}>
          Save and sign in
        </Button>
      </Stack>
    </form>
  );
}

function DeadLink() {
  return (
    <CardPage title="Set a password">
      <EmptyState
        icon={Unlink}
        title="This link no longer works"
        action={
          <ButtonLink to="/login" variant="default">
            Go to sign-in
          </ButtonLink>
        }
      >
        It was used, replaced by a newer one, or is older than 24 hours. If you have the message with the link, open the
        link there again; otherwise ask an administrator for a new one.
      </EmptyState>
    </CardPage>
  );
}
