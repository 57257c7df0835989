import { Button, Group, PasswordInput, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../api/api-error';
import { api, unwrap } from '../api/client';
import { useSession } from '../api/session';
import { DialogEnd, DialogHost, OneTimeSecret } from '../kit/dialog';
import { useSubmit } from '../kit/use-submit';
import { PermissionChoice } from './permission-choice';
import { type CreatedToken, createToken, type Permission } from './tokens-api';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '', label: 'By the policy of the gateway' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

interface CreateTokenProps {
  serviceAccountId?: string;
  scopes: readonly Permission[];
  onCreated: () => void;
  onClose: () => void;
}

export function CreateTokenDialog({ opened, ...form }: CreateTokenProps & { opened: boolean }) {
  return (
    <DialogHost dialog={opened || null} onClose={form.onClose}>
      {() => ({ title: 'Create an access token', size: 'lg', isSecret: true, content: <CreateToken {...form} /> })}
    </DialogHost>
  );
}

/** The form, then the token, this one time. */
function CreateToken({ serviceAccountId, scopes, onCreated, onClose }: CreateTokenProps) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [days, setDays] = useState('');
  const [addresses, setAddresses] = useState<string[]>([]);
  const [made, setMade] = useState<CreatedToken | null>(null);
  const create = useSubmit(async () => {
    const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const rest = { ...(addresses.length > 0 && { addresses }), ...(expiresAt && { expiresAt }) };
    setMade(await createToken({ name, scopes: chosen as Permission['id'][], serviceAccountId, ...rest }));
    onCreated();
  });
  const isOld = create.error instanceof ApiError && create.error.code === 'recent_sign_in_required';
  if (made) {
    return (
      <Stack gap="lg">
        <OneTimeSecret
          value={made.token}
          label="Your access token"
          description="You will not see it again. Send it to /api as Authorization: Bearer gat_…"
        />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <form onSubmit={create.onSubmit}>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="What uses it, for example deploy."
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PermissionChoice label="Scopes" permissions={scopes} value={chosen} onChange={setChosen} />
          <Select
            label="Expires"
            data={LIFETIMES}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '')}
          />
          <TagsInput
            label="Allowed addresses"
            description="Addresses or ranges such as 10.0.0.0/8; empty: any."
            value={addresses}
            onChange={setAddresses}
          />
          <DialogEnd fault={isOld ? null : create.fault} onCancel={onClose}>
            <Button type="submit" loading={create.isBusy} disabled={name.trim() === '' || chosen.length === 0}>
              Create
            </Button>
          </DialogEnd>
        </Stack>
      </form>
      {isOld && <SignInAgain onDone={() => void create.submit()} />}
    </Stack>
  );
}

/** A token needs a sign-in within the last 15 minutes. */
function SignInAgain({ onDone }: { onDone: () => void }) {
  const { user, signIn } = useSession();
  const [password, setPassword] = useState('');
  const again = useSubmit(async () => {
    await unwrap(api.POST('/api/session', { body: { email: user.email, password } }));
    onDone();
  });
  const [sso] = signIn.oidc;
  return (
    <form onSubmit={again.onSubmit}>
      <Stack gap="sm">
        <Text size="sm">You signed in more than 15 minutes ago. Sign in again to create the token.</Text>
        {signIn.local && (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={again.fault}
          />
        )}
        <Group justify="flex-end" gap="xs">
          {sso && (
            <Button component="a" variant="default" href={`${sso.startUrl}?next=/account`}>
              {sso.label}
            </Button>
          )}
          {signIn.local && (
            <Button type="submit" loading={again.isBusy} disabled={password === ''}>
              Sign in and create
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
