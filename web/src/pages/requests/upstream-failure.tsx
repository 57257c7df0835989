import TriangleAlert from 'icon:triangle-alert';
import { Alert } from '@mantine/core';
import { attemptKind } from './attempt-kind';
import type { CallDetail } from './requests-queries';

/** Why the last attempt of a failed request failed, in the words of its upstream. */
export function UpstreamFailure({ call: { status, attempts } }: { call: CallDetail }) {
  const last = attempts.findLast(({ outcome }) => attemptKind(outcome) === 'error');
  if (!last || (status !== 'failed' && status !== 'interrupted')) return null;
  return (
    <Alert
      color="red"
      icon={<TriangleAlert size={17} aria-hidden />}
      title={`${last.upstream}: ${[last.status || null, last.outcome].filter(Boolean).join(' ')}`}
    >
      {last.message ?? 'The upstream sent no message.'}
    </Alert>
  );
}
