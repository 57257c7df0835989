import { Code } from '@mantine/core';

/** What helps an administrator whom nobody else can help. */
export function PasswordCommand() {
  return (
    <>
      Are you the only administrator? The command <Code fz="inherit">user:password</Code>, run where the gateway runs,
      sets a new password and ends the wait.
    </>
  );
}
