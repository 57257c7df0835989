import FlaskConical from 'icon:flask-conical';
import { Alert } from '@mantine/core';
import { TextLink } from '../../kit/links';

/** No provider is connected: answers are simulated and cost nothing. */
export function SimulationNote({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Alert icon={<FlaskConical size={17} aria-hidden="true" />} color="gray" title="Answers are simulated">
      No provider is connected, so the gateway simulates every answer, at no cost.{' '}
      {isAdmin ? (
        <>
          For real answers, set the credential of an{' '}
          <TextLink to="/upstreams" inherit underline="always">
            upstream
          </TextLink>
          .
        </>
      ) : (
        'For real answers, ask an administrator to connect a provider.'
      )}
    </Alert>
  );
}
