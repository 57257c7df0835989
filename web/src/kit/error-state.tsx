import RotateCw from 'icon:rotate-cw';
import TriangleAlert from 'icon:triangle-alert';
import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { ApiError, messageOf } from '../api/api-error';
import { RequestId } from './request-id';

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** What went wrong, the request's id for support, and a button to try again. */
export function ErrorState({ error, onRetry, isRetrying }: ErrorStateProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center" role="alert">
      <ThemeIcon size={44} radius="lg" variant="light" color="red" mb={4}>
        <TriangleAlert size={21} strokeWidth={1.75} aria-hidden="true" />
      </ThemeIcon>
      <Text fw={600} size="lg">
        This could not be loaded
      </Text>
      <Text c="dimmed" size="sm" maw={480}>
        {messageOf(error)}
      </Text>
      {requestId && <RequestId id={requestId} />}
      {onRetry && (
        <Button
          variant="default"
          mt="xs"
          loading={isRetrying}
          leftSection={<RotateCw size={15} aria-hidden="true" />}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
    </Stack>
  );
}
