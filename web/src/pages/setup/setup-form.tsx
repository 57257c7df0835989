import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { MIN_PASSWORD_LENGTH, NewPasswordField } from '../../kit/new-password-field';
import { Refusal } from '../../kit/refusal';
import { forgetAddressToken } from '../../kit/use-address-token';
import { useEntry } from '../../kit/use-entry';
import { useWait } from '../../kit/use-wait';

interface Fields {
  email: string;
  name: string;
  password: string;
}

type Step = 1 | 2;

export function SetupForm({ token }: { token: string }) {
  const [step, setStep] = useState<Step>(1);
  const [fields, setFields] = useState<Fields>({ email: '', name: '', password: '' });
  const enter = useEntry();
  const make = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      await unwrap(api.POST('/api/setup', { body: { token, ...fields } }));
      forgetAddressToken();
      await enter();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.param === 'email') setStep(1);
    },
  });
  const wait = useWait(make.error);
  const set = (change: Partial<Fields>) => setFields((now) => ({ ...now, ...change }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 1) setStep(2);
    else if (!make.isPending) make.mutate();
  };
  return (
    <form onSubmit={submit}>
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
              loading={make.isPending}
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
