import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { type DialogContent, DialogHost, OneTimeSecret } from '../../kit/dialog';
import { RelativeTime } from '../../kit/figures';
import { FaultNote } from '../../kit/notes';
import { notifyDone } from '../../kit/notify';
import { SegmentedControl } from '../../kit/segmented-control';
import { useSubmit } from '../../kit/use-submit';
import { userLabel } from '../../kit/words';
import { type CreatedUserView, createUser, type NewUser, type PasswordLinkView } from './user-actions';

interface OneTimePasswordLinkProps {
  link: PasswordLinkView;
  email: string;
  onDone: () => void;
}

/** A link that sets a password once. Anyone who has it can sign in as that user, so it is shown only here. */
function OneTimePasswordLink({ link, email, onDone }: OneTimePasswordLinkProps) {
  const [isCopied, setCopied] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const close = () => (isCopied || isWarned ? onDone() : setWarned(true));
  return (
    <Stack gap="md">
      <Text size="sm">
        Give this link to <b>{email}</b>, who chooses a password with it. It works once and expires{' '}
        <RelativeTime value={link.expiresAt} />.
      </Text>
      <OneTimeSecret
        value={link.url}
        label="Password link"
        description="You will not see this link again. You can create a new one at any time."
        onCopied={() => setCopied(true)}
      />
      {isWarned && !isCopied && (
        <Alert color="yellow" role="alert" p="xs">
          The link has not been copied. Close anyway?
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {isWarned && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
      </Group>
    </Stack>
  );
}

/** The dialog with a link, which only its buttons close. */
export function linkDialog(link: PasswordLinkView, email: string, onDone: () => void): DialogContent {
  const content = <OneTimePasswordLink link={link} email={email} onDone={onDone} />;
  return { title: 'Share this link', closeOnEscape: false, closeOnClickOutside: false, content };
}

interface CreateUserFormProps {
  onCreated: (created: CreatedUserView) => void;
  onCancel: () => void;
}

function CreateUserForm({ onCreated, onCancel }: CreateUserFormProps) {
  const form = useForm<Required<NewUser>>({
    initialValues: { kind: 'person', email: '', name: '', role: 'member' },
    validate: { email: (email) => (email.trim() === '' ? 'This field is required' : null) },
  });
  const isPerson = form.values.kind === 'person';
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      const { email, name, kind, role } = form.values;
      const body = { email: email.trim(), name: name.trim(), kind, role: isPerson ? role : 'member' } as const;
      onCreated(await createUser(body));
    },
    (error) => {
      if (!(error instanceof ApiError && error.param && error.param in form.values)) return messageOf(error);
      form.setFieldError(error.param, error.message);
      return null;
    },
  );
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label="Kind of account"
          data={[
            { value: 'person', label: 'Person' },
            { value: 'service', label: 'Service account' },
          ]}
          {...form.getInputProps('kind')}
        />
        <FaultNote fault={fault} />
        <TextInput
          label="E-mail"
          description={isPerson ? undefined : 'Identifies the account; no e-mail is sent.'}
          placeholder={isPerson ? 'ada@example.com' : 'nightly-reports@example.com'}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput label="Name" autoComplete="off" maxLength={100} {...form.getInputProps('name')} />
        {isPerson && (
          <Radio.Group label="Role" {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              <Radio value="member" label="Member" description="Has keys, and sees their own usage." />
              <Radio
                value="admin"
                label="Admin"
                description="Also manages users, plans and upstreams, and sees all usage."
              />
            </Stack>
          </Radio.Group>
        )}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Add user
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CreateUserDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** The form, then the link to set a password for the new user. */
export function CreateUserDialog({ opened, onClose }: CreateUserDialogProps) {
  const [created, setCreated] = useState<CreatedUserView | null>(null);
  const close = () => {
    onClose();
    setCreated(null);
  };
  const showLink = (result: CreatedUserView) => {
    notifyDone(`${userLabel(result.user)} was added`);
    if (result.link) setCreated(result);
    else close();
  };
  return (
    <DialogHost dialog={opened || null} onClose={close}>
      {() =>
        created?.link
          ? linkDialog(created.link, userLabel(created.user), close)
          : {
              title: 'Add a user',
              closeOnClickOutside: false,
              content: <CreateUserForm onCreated={showLink} onCancel={close} />,
            }
      }
    </DialogHost>
  );
}
