import CircleCheck from 'icon:circle-check';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/session';
import { FAILED_STATUSES, type FailedCall, recentFailuresQuery, searchOf, type Whose } from '../api/standing';
import { DataTable } from './data-table';
import type { Column } from './data-table.types';
import { EmptyState } from './empty-state';
import { TextLink } from './links';
import { RelativeTime } from './relative-time';
import { STATUS_LABELS } from './request-words';
import { Section } from './section';
import { StatusBadge } from './status-badge';

/** The newest failed and refused requests of a key or user; each opens in Requests. */
export function RecentFailures({ whose }: { whose: Whose }) {
  const isAdmin = useSession().user.role === 'admin';
  const query = useQuery(recentFailuresQuery(whose, isAdmin));
  const search = searchOf(whose, isAdmin);
  return (
    <Section
      title="Recent errors"
      aside={
        <TextLink to="/requests" search={{ ...search, statuses: FAILED_STATUSES.join(',') }} size="sm">
          All failed and refused requests
        </TextLink>
      }
    >
      <DataTable
        label="recent errors"
        query={query}
        columns={columnsFor(search, 'user' in whose)}
        rowKey={({ id }) => id}
        rowLabel={({ requestId }) => requestId}
        empty={
          <EmptyState icon={CircleCheck} title="No errors">
            No request failed or was refused in the last 30 days.
          </EmptyState>
        }
      />
    </Section>
  );
}

function columnsFor(search: Record<string, string>, showsKeys: boolean): Column<FailedCall>[] {
  return [
    {
      key: 'error',
      header: 'Error',
      onCard: 'title',
      cell: (call) => (
        <>
          <TextLink to="/requests" search={{ ...search, call: call.id }} title="Show the request">
            <StatusBadge tone={call.status === 'failed' ? 'bad' : 'warn'}>{errorText(call)}</StatusBadge>
          </TextLink>
          {call.message && (
            <Text size="xs" c="dimmed" lineClamp={2} title={call.message}>
              {call.message}
            </Text>
          )}
        </>
      ),
    },
    { key: 'at', header: 'When', cell: ({ startedAt }) => <RelativeTime value={startedAt} /> },
    { key: 'model', header: 'Model', cell: ({ model }) => model || '–' },
    ...(showsKeys
      ? [{ key: 'key', header: 'Key', cell: ({ keyName }: FailedCall) => keyName || '–' }]
      : [{ key: 'secret', header: 'Secret', cell: ({ keyDisplay }: FailedCall) => keyDisplay ?? '–' }]),
  ];
}

/** "Refused: 429 rate_limit_exceeded" */
function errorText({ status, httpStatus, errorCode }: FailedCall): string {
  const why = [httpStatus, errorCode].filter((part) => part !== null).join(' ');
  const what = STATUS_LABELS[status] ?? status;
  return why ? `${what}: ${why}` : what;
}
