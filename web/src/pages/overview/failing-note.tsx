import TriangleAlert from 'icon:triangle-alert';
import { Alert, Stack } from '@mantine/core';
import { TextLink } from '../../kit/links';
import { formatNumber } from '../../kit/numbers';
import type { Overview } from './overview-queries';

/** Upstreams that are failing, each with a link to inspect and test it. */
export function FailingNote({ upstreams }: { upstreams: Overview['failing'] }) {
  const title = upstreams.length === 1 ? 'An upstream is failing' : `${upstreams.length} upstreams are failing`;
  return (
    <Alert icon={<TriangleAlert size={17} aria-hidden="true" />} color="red" title={title}>
      <Stack gap={2}>
        {upstreams.map(({ name, attempts, failures, code }) => (
          <span key={name}>
            <TextLink to="/upstreams" search={{ upstream: name }} inherit underline="always">
              {name}
            </TextLink>
            : {formatNumber(failures)} of {formatNumber(attempts)} calls failed in the last 24 hours
            {code && `, the last with ${code}`}.
          </span>
        ))}
      </Stack>
    </Alert>
  );
}
