import { Alert } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import { TextLink } from '../../kit/links';

/** No provider is connected: what is tried here is no test of a model, and no expense. */
export function SimulationNote({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Alert icon={<FlaskConical size={17} aria-hidden="true" />} color="gray" title="Answers are simulated">
      No provider is connected, so the gateway makes up every answer, at no cost.{' '}
      {isAdmin ? (
        <>
          To have real ones, give an{' '}
          <TextLink to="/upstreams" inherit underline="always">
            upstream
          </TextLink>{' '}
          its credential.
        </>
      ) : (
        'Ask an administrator for real ones.'
      )}
    </Alert>
  );
}
