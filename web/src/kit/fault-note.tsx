import { Alert } from '@mantine/core';

/** What the gateway has against what one asked for; nothing where it has nothing. */
export function FaultNote({ fault }: { fault: string | null }) {
  if (fault === null) return null;
  return (
    <Alert color="red" role="alert" p="xs">
      {fault}
    </Alert>
  );
}
