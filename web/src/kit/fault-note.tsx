import { Alert } from '@mantine/core';

/** The gateway's error message; nothing if there is none. */
export function FaultNote({ fault }: { fault: string | null }) {
  if (fault === null) return null;
  return (
    <Alert color="red" role="alert" p="xs">
      {fault}
    </Alert>
  );
}
