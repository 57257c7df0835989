import CircleCheck from 'icon:circle-check';
import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/session';
import { DataTable } from '../kit/data-table';
import type { Column } from '../kit/data-table.types';
import { EmptyState } from '../kit/empty-state';
import { TextLink } from '../kit/links';
import { formatNumber } from '../kit/numbers';
import { RelativeTime } from '../kit/relative-time';
import { type RequestRow, toRows } from '../kit/request-rows';
import { STATUS_LABELS } from '../kit/request-words';
import { Section } from '../kit/section';
import { StatusBadge } from '../kit/status-badge';
import { FAILED_STATUSES, type FailedCall, recentFailuresQuery, searchOf, type Whose } from './activity-queries';

const MAX_ROWS = 10;

const MODEL: Column<RequestRow> = { key: 'model', header: 'Model', cell: ({ call }) => call.model || '–' };

/** The newest failed and refused requests of a key, user or model, identical ones in a row; each opens in Requests. */
export function RecentFailures({ whose }: { whose: Whose }) {
  const isAdmin = useSession().user.role === 'admin';
  const query = useQuery({ ...recentFailuresQuery(whose, isAdmin), select: toNewestRows });
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
        columns={columnsFor(search, whoOf(whose, isAdmin))}
        rowKey={({ call }) => call.id}
        rowLabel={({ call }) => call.requestId}
        empty={
          <EmptyState icon={CircleCheck} title="No errors">
            No request failed or was refused in the last 30 days.
          </EmptyState>
        }
      />
    </Section>
  );
}

function toNewestRows(calls: readonly FailedCall[]): RequestRow[] {
  return toRows(calls, true).slice(0, MAX_ROWS);
}

/** The column that distinguishes the requests, besides the model. */
function whoOf(whose: Whose, isAdmin: boolean): Column<RequestRow>[] {
  const key: Column<RequestRow> = { key: 'key', header: 'Key', cell: ({ call }) => call.keyName || '–' };
  if ('user' in whose) return [MODEL, key];
  if ('key' in whose) return [MODEL, { key: 'secret', header: 'Secret', cell: ({ call }) => call.keyDisplay ?? '–' }];
  return isAdmin ? [{ key: 'user', header: 'User', cell: ({ call }) => call.userName || '–' }, key] : [key];
}

function columnsFor(search: Record<string, string>, who: readonly Column<RequestRow>[]): Column<RequestRow>[] {
  return [
    {
      key: 'error',
      header: 'Error',
      onCard: 'title',
      cell: ({ call, count }) => (
        <div>
          <Group gap="xs">
            <TextLink to="/requests" search={{ ...search, call: call.id }} title="Show the request">
              <StatusBadge tone={call.status === 'failed' ? 'bad' : 'warn'}>{errorText(call)}</StatusBadge>
            </TextLink>
            {count > 1 && (
              <Badge
                size="sm"
                variant="light"
                color="gray"
                title={`${formatNumber(count)} identical errors; the newest`}
              >
                {formatNumber(count)} ×
              </Badge>
            )}
          </Group>
          {call.message && (
            <Text size="xs" c="dimmed" lineClamp={2} title={call.message}>
              {call.message}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'at', header: 'When', cell: ({ call }) => <RelativeTime value={call.startedAt} /> },
    ...who,
  ];
}

/** "Refused: 429 rate_limit_exceeded" */
function errorText({ status, httpStatus, errorCode }: FailedCall): string {
  const why = [httpStatus, errorCode].filter((part) => part !== null).join(' ');
  const what = STATUS_LABELS[status] ?? status;
  return why ? `${what}: ${why}` : what;
}
