import { Code } from '@mantine/core';

/** Help for an administrator who cannot ask another one. */
export function PasswordCommand() {
  return (
    <>
      Are you the only administrator? The command <Code fz="inherit">user:password</Code>, run on the gateway's server,
      sets a new password and ends the waiting period.
    </>
  );
}
