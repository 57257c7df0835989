import CircleCheck from 'icon:circle-check';
import Link2Off from 'icon:link-2-off';
import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
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
import { useSubmit, useWait } from '../../kit/use-submit';
import { CardPage } from '../../shell/card-page';

interface Fields {
  email: string;
  name: string;
  password: string;
}

type Step = 1 | 2;

function SetupForm({ token }: { token: string }) {
  const [step, setStep] = useState<Step>(1);
  const [fields, setFields] = useState<Fields>({ email: '', name: '', password: '' });
  const enter = useEntry();
  const make = useSubmit(
    async () => {
      await unwrap(api.POST('/api/setup', { body: { token, ...fields } }));
      forgetAddressToken();
      await enter();
    },
    (error) => {
      if (error instanceof ApiError && error.param === 'email') setStep(1);
      return messageOf(error);
    },
  );
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    setStep(2);
  };
  const wait = useWait(make.error);
  const set = (change: Partial<Fields>) => setFields((now) => ({ ...now, ...change }));
  return (
    <form onSubmit={step === 1 ? goOn : make.onSubmit}>
      <Stack gap="md">
        <Progress.Root size={4} aria-hidden="true">
          <Progress.Section value={step * 50} />
        </Progress.Root>
        <Text size="xs" c="dimmed" role="status">
          Step {step} of 2: {step === 1 ? 'who you are' : 'your password'}
        </Text>
        <Refusal error={make.error} wait={wait} />
        {step === 1 ? <WhoFields fields={fields} onChange={set} /> : <SecretFields fields={fields} onChange={set} />}
        {step === 1 ? (
          <Button type="submit" fullWidth>
            Continue
          </Button>
        ) : (
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" onClick={() => setStep(1)}>
              Back
            </Button>
            <Button
              type="submit"
              flex={1}
              loading={make.isBusy}
              disabled={fields.password.length < MIN_PASSWORD_LENGTH || wait > 0}
            >
              Finish and sign in
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface PartProps {
  fields: Fields;
  onChange: (change: Partial<Fields>) => void;
}

function WhoFields({ fields, onChange }: PartProps) {
  return (
    <>
      <TextInput
        label="E-mail"
        description="You sign in with it; no e-mail is sent."
        type="email"
        name="email"
        autoComplete="email"
        required
        withAsterisk={false}
        autoFocus
        maxLength={254}
        value={fields.email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        required
        withAsterisk={false}
        maxLength={100}
        value={fields.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </>
  );
}

function SecretFields({ fields, onChange }: PartProps) {
  return (
    <>
      <TextInput label="E-mail" type="email" autoComplete="username" value={fields.email} readOnly />
      <NewPasswordField value={fields.password} onChange={(password) => onChange({ password })} autoFocus />
    </>
  );
}

/** The first page of a new gateway: creates the administrator. */
export function SetupPage() {
  const token = useAddressToken();
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/setup', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (setup.data && !setup.data.needed) return <Done />;
  if (setup.data && token === '') return <NoToken />;
  return (
    <CardPage title="Welcome to your gateway" description="Create the administrator account. It takes a minute.">
      <QueryStates query={setup}>{() => <SetupForm token={token} />}</QueryStates>
    </CardPage>
  );
}

function Done() {
  return (
    <CardPage title="Set up">
      <EmptyState
        icon={CircleCheck}
        title="The gateway is set up"
        action={<ButtonLink to="/login">Go to sign-in</ButtonLink>}
      >
        There is already an administrator.
      </EmptyState>
    </CardPage>
  );
}

function NoToken() {
  return (
    <CardPage title="Set up">
      <EmptyState icon={Link2Off} title="The link is incomplete">
        Open the whole “Set up” link that the gateway printed when it started. The command setup:link creates a new one.
      </EmptyState>
    </CardPage>
  );
}
