import CircleCheck from 'icon:circle-check';
import { Badge, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { RelativeTime } from '../../kit/figures';
import { formatNumber } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import { EmptyState } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { outcomeText } from '../../kit/words';
import classes from './requests.module.css';
import { searchKeyOf } from './requests-queries';
import { type RequestsControls, type RequestsSearch, toQuery } from './use-requests-search';

/** Errors of a whole month are counted one by one. */
const EVERY_MS = 60_000;

type Cause = components['schemas']['ErrorCauseView'];

function causesQuery(search: RequestsSearch) {
  return queryOptions({
    queryKey: ['requests', 'causes', ...searchKeyOf(search)],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/usage/errors', { params: { query: toQuery(search, new Date()) }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}

/** Errors by cause over the whole range; a click lists the requests of one. */
export function ErrorCauses({ search, isAdmin, change }: RequestsControls) {
  const query = useQuery(causesQuery(search));
  const causes = useQuery({ ...causesQuery(search), select: (data) => data.causes });
  const columns = useMemo(() => columnsFor(isAdmin, (cause) => change(toFilters(cause, isAdmin))), [isAdmin, change]);
  return (
    <>
      <DataTable
        label="Errors by cause"
        query={causes}
        columns={columns}
        rowKey={keyOf}
        rowLabel={(cause) => titleOf(cause, isAdmin)}
        defaultSort={{ key: 'count', descending: true }}
        empty={
          <Paper>
            <EmptyState icon={CircleCheck} title="No errors">
              No request of this range and these filters failed or was refused.
            </EmptyState>
          </Paper>
        }
      />
      {query.data && query.data.others > 0 && (
        <Text size="sm" c="dimmed" ta="center" mt="md">
          {formatNumber(query.data.others)} more errors have other causes.
        </Text>
      )}
    </>
  );
}

function keyOf({ kind, upstream, status, code, message, lastId }: Cause): string {
  return JSON.stringify([kind, upstream, status, code, message, lastId]);
}

/** "Failed: error at the provider (openai 401)" */
function titleOf({ kind, upstream, status, code }: Cause, showsCode: boolean): string {
  return outcomeText(kind, { upstream, status, code }, showsCode);
}

/** The filters under which the list shows these errors. */
function toFilters({ kind, upstream, status, code }: Cause, isAdmin: boolean) {
  return {
    group: undefined,
    statuses: kind === 'failed' ? 'failed,interrupted' : 'refused',
    codes: code === 'interrupted' ? undefined : code,
    httpStatuses: status === null ? undefined : String(status),
    ...(isAdmin && upstream !== null && { upstreams: upstream }),
  };
}

function columnsFor(isAdmin: boolean, show: (cause: Cause) => void): Column<Cause>[] {
  return [
    {
      key: 'cause',
      header: 'Cause',
      onCard: 'title',
      sortValue: (cause) => titleOf(cause, isAdmin),
      cell: (cause) => <CauseText cause={cause} isAdmin={isAdmin} onShow={() => show(cause)} />,
    },
    {
      key: 'count',
      header: 'Errors',
      align: 'right',
      sortValue: ({ count }) => count,
      cell: ({ count }) => formatNumber(count),
    },
    {
      key: 'users',
      header: 'Users',
      align: 'right',
      sortValue: ({ users }) => users,
      cell: ({ users }) => formatNumber(users),
    },
    {
      key: 'models',
      header: 'Models',
      narrow: 'hide',
      cell: ({ models }) => (
        <span className={classes.cut} title={models.join(', ')}>
          {models.length > 1 ? `${models[0]} and ${models.length - 1} more` : (models[0] ?? '–')}
        </span>
      ),
    },
    {
      key: 'first',
      header: 'First',
      narrow: 'wide',
      sortValue: ({ firstAt }) => firstAt,
      cell: ({ firstAt }) => <RelativeTime value={firstAt} />,
    },
    {
      key: 'last',
      header: 'Last',
      sortValue: ({ lastAt }) => lastAt,
      cell: ({ lastAt }) => <RelativeTime value={lastAt} />,
    },
  ];
}

function CauseText({ cause, isAdmin, onShow }: { cause: Cause; isAdmin: boolean; onShow: () => void }) {
  const { kind, upstream, message, remedy, isOngoing, code } = cause;
  return (
    <div className={classes.cause}>
      <Group gap="xs">
        <UnstyledButton className={classes.open} title="Show these requests" onClick={onShow}>
          <StatusBadge tone={kind === 'failed' ? 'bad' : 'warn'} wraps>
            {titleOf(cause, isAdmin)}
          </StatusBadge>
        </UnstyledButton>
        {isOngoing && (
          <Badge size="sm" variant="light" color="red">
            Not fixed yet
          </Badge>
        )}
      </Group>
      {message && (
        <Text size="xs" c="dimmed" lineClamp={2} title={message}>
          {message}
        </Text>
      )}
      {remedy && (
        <Text size="xs" mt={2}>
          {remedy.replaceAll('`', '')} <RemedyLink code={code} upstream={isAdmin ? upstream : null} />
        </Text>
      )}
    </div>
  );
}

/** Where the cause is removed, if the console has a page for that. */
function RemedyLink({ code, upstream }: { code: string; upstream: string | null }) {
  if (upstream !== null) {
    return (
      <TextLink to="/upstreams" search={{ upstream }} inherit>
        Open {upstream}
      </TextLink>
    );
  }
  if (code === 'insufficient_quota') {
    return (
      <TextLink to="/budgets" inherit>
        Open Budgets
      </TextLink>
    );
  }
  if (code === 'invalid_api_key' || code === 'ip_not_allowed') {
    return (
      <TextLink to="/keys" inherit>
        Open API Keys
      </TextLink>
    );
  }
  if (code === 'model_not_found') {
    return (
      <TextLink to="/models" inherit>
        Open Models
      </TextLink>
    );
  }
  return null;
}
