import TriangleAlert from 'icon:triangle-alert';
import { Alert } from '@mantine/core';
import { attemptKind } from './attempt-kind';
import type { CallDetail } from './requests-queries';

/** What the upstream of a failed request answered last. */
export function UpstreamFailure({ call: { status, attempts } }: { call: CallDetail }) {
  const last = attempts.findLast(({ outcome }) => attemptKind(outcome) === 'error');
  if (!last || (status !== 'failed' && status !== 'interrupted')) return null;
  const answered = last.status ? `HTTP ${last.status}` : last.outcome;
  return (
    <Alert color="red" icon={<TriangleAlert size={17} aria-hidden />} title={`${last.upstream} answered ${answered}`}>
      {last.message ?? 'It sent no message.'}
    </Alert>
  );
}
