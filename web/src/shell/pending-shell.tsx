import { Center, Loader, VisuallyHidden } from '@mantine/core';

/** Shown before it is known who is signed in. */
export function PendingShell() {
  return (
    <Center h="100vh" component="main" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Loader size="sm" type="dots" />
    </Center>
  );
}
