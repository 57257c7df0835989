import TriangleAlert from 'icon:triangle-alert';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { modelsQuery } from '../api/lists';
import { useSession } from '../api/session';
import { OneTimeSecret } from '../kit/dialog';
import { Snippets } from '../kit/snippets';
import { formatMinute } from '../kit/times';
import { defaultModel } from '../kit/words';
import classes from './keys.module.css';
import type { CreatedKey } from './keys-api';

interface NewKeyProps {
  made: CreatedKey;
  onClose: () => void;
}

/** Shows a key, this one time. Asks before closing if it was not copied. */
export function NewKey({ made, onClose }: NewKeyProps) {
  const [isCopied, setCopied] = useState(false);
  const [isQuerying, setRequesting] = useState(false);
  const { baseUrl } = useSession();
  const { data: models } = useQuery(modelsQuery);
  const leaving = useBlocker({
    shouldBlockFn: () => !isCopied,
    enableBeforeUnload: () => !isCopied,
    withResolver: true,
  });
  const content = useRef<HTMLDivElement>(null);
  // The form with the focus is gone, and an open dialog does not move the focus by itself.
  useEffect(() => content.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  const close = () => (isCopied ? onClose() : setRequesting(true));
  const copied = () => setCopied(true);
  const isRequested = isQuerying || leaving.status === 'blocked';
  const leave = () => {
    leaving.proceed?.();
    onClose();
  };
  const stay = () => {
    leaving.reset?.();
    setRequesting(false);
  };
  const usable = models?.filter(({ id }) => made.models === null || made.models.includes(id)) ?? [];
  const model = defaultModel(usable)?.id ?? made.models?.[0] ?? 'MODEL';
  return (
    <Stack gap="lg" ref={content}>
      <OneTimeSecret
        value={made.key}
        label="Your API key"
        description="You will not see this key again. Store it in a password manager or secret store."
        onCopied={copied}
      />
      {made.previous && (
        <Text size="sm">
          The previous key, <span className={classes.key}>{made.previous.display}</span>, works until{' '}
          {formatMinute(new Date(made.previous.expiresAt))}.
        </Text>
      )}
      <Snippets baseUrl={baseUrl} model={model} apiKey={made.key} onCopied={copied} />
      {isRequested ? (
        <Alert
          variant="default"
          className={classes.question}
          icon={<TriangleAlert size={18} aria-hidden="true" />}
          title="You have not copied the key yet"
          role="alert"
        >
          <Text size="sm">
            After you close this dialog, the key cannot be shown again. You would have to create another.
          </Text>
          <Group justify="flex-end" gap="xs" mt="sm">
            <Button variant="default" size="xs" onClick={leave}>
              Close anyway
            </Button>
            <Button size="xs" onClick={stay} autoFocus>
              Go back
            </Button>
          </Group>
        </Alert>
      ) : (
        <Group justify="flex-end">
          <Button variant={isCopied ? 'filled' : 'default'} onClick={close}>
            Done
          </Button>
        </Group>
      )}
    </Stack>
  );
}
