import Unlink from 'icon:unlink';
import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { Refusal } from '../../kit/notes';
import { ButtonLink } from '../../kit/page';
import {
  forgetAddressToken,
  MIN_PASSWORD_LENGTH,
  NewPasswordField,
  useAddressToken,
  useEntry,
} from '../../kit/password-field';
import { EmptyState, QueryStates } from '../../kit/states';
import { useSubmit } from '../../kit/use-submit';
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
  const save = useSubmit(async () => {
    await unwrap(api.POST('/api/password-links/use', { body: { token, password } }));
    forgetAddressToken();
    await enter();
  });
  return (
    <form onSubmit={save.onSubmit}>
      <Stack gap="md">
        <Refusal error={save.error} />
        <TextInput label="E-mail" type="email" name="email" autoComplete="username" value={owner.email} readOnly />
        <NewPasswordField value={password} onChange={setPassword} autoFocus />
        <Button type="submit" fullWidth loading={save.isBusy} disabled={password.length < MIN_PASSWORD_LENGTH}>
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
