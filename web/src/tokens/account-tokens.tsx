import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayAll, useSession } from '../api/session';
import { DialogEnd, DialogHost } from '../kit/dialog';
import { notifyDone } from '../kit/notify';
import { useSubmit } from '../kit/use-submit';
import { AccessTokens } from './access-tokens';
import { PermissionChoice } from './permission-choice';
import { type Permission, permissionsQuery, setPermissions } from './tokens-api';

interface AccountTokensProps {
  opened: boolean;
  account: { readonly id: string; readonly name: string; readonly permissions: readonly string[] } | null;
  onClose: () => void;
}

/** The permissions of a service account, which administrators set, and its access tokens. */
export function AccountTokensDialog({ opened, account, onClose }: AccountTokensProps) {
  return (
    <DialogHost dialog={opened ? account : null} onClose={onClose}>
      {(shown) => ({
        title: `Access tokens of ${shown.name}`,
        size: 'xl',
        content: <AccountTokens account={shown} />,
      })}
    </DialogHost>
  );
}

function AccountTokens({ account }: { account: NonNullable<AccountTokensProps['account']> }) {
  const isAdmin = mayAll(useSession(), 'users.write');
  const queries = useQueryClient();
  const { data: all = [] } = useQuery(permissionsQuery);
  const [given, setGiven] = useState([...account.permissions]);
  const [saved, setSaved] = useState(account.permissions);
  const save = useSubmit(async () => {
    await setPermissions(account.id, given as Permission['id'][]);
    setSaved(given);
    await queries.invalidateQueries({ queryKey: ['projects'] });
    notifyDone(`The permissions of ${account.name} were changed.`);
  });
  const grantable = all.filter(({ id }) => id !== 'account');
  return (
    <Stack gap="lg">
      <AccessTokens serviceAccountId={account.id} scopes={all.filter(({ id }) => saved.includes(id))} />
      {isAdmin ? (
        <form onSubmit={save.onSubmit}>
          <Stack gap="md">
            <PermissionChoice
              label="Permissions, for everything that the gateway has"
              permissions={grantable}
              value={given}
              onChange={setGiven}
            />
            <DialogEnd fault={save.fault} onCancel={() => setGiven([...saved])}>
              <Button type="submit" loading={save.isBusy}>
                Save permissions
              </Button>
            </DialogEnd>
          </Stack>
        </form>
      ) : (
        <Text size="sm" c="dimmed">
          {saved.length === 0 ? 'It has no permissions; an administrator gives them.' : `It may: ${saved.join(', ')}.`}
        </Text>
      )}
    </Stack>
  );
}
