import CircleCheck from 'icon:circle-check';
import { Badge, Code, Group, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { mayAll, useSession } from '../../api/session';
import { CopyButton } from '../../kit/copy-button';
import tableClasses from '../../kit/data-table.module.css';
import { type Column, DataTableHead, DataTableRow } from '../../kit/data-table-rows';
import { RelativeTime } from '../../kit/figures';
import { formatNumber } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import { StatusBadge } from '../../kit/status-badge';
import { Table } from '../../kit/table';
import { outcomeText } from '../../kit/words';
import classes from './overview.module.css';
import type { Overview } from './overview-queries';

interface RecentErrorsProps {
  errors: Overview['recentErrors'];
}

type RecentError = Overview['recentErrors'][number];

const COLUMNS: Column<RecentError>[] = [
  {
    key: 'error',
    header: 'Error',
    onCard: 'title',
    cell: (error) => <ErrorText error={error} />,
  },
  { key: 'at', header: 'When', cell: ({ at }) => <RelativeTime value={at} /> },
  { key: 'model', header: 'Model', cell: ({ model }) => <span className={classes.model}>{model ?? '–'}</span> },
  {
    key: 'key',
    header: 'Key',
    cell: ({ keyName, userName }) => (
      <div className={classes.who}>
        {keyName ?? '–'}
        <Text size="xs" c="dimmed" truncate>
          {userName}
        </Text>
      </div>
    ),
  },
  {
    key: 'request',
    header: 'Request id',
    cell: ({ id, requestId }) => (
      <Group gap={4} wrap="nowrap" className={classes.request}>
        {id === null ? (
          <Code className={classes.requestId}>{requestId}</Code>
        ) : (
          <TextLink to="/requests" search={{ range: '30d', call: id }} size="xs" className={classes.requestId}>
            {requestId}
          </TextLink>
        )}
        <CopyButton value={requestId} what="request id" size={13} />
      </Group>
    ),
  },
];

function ErrorText({ error: { id, status, code, message, upstream, upstreamStatus, count } }: { error: RecentError }) {
  const isAdmin = mayAll(useSession(), 'upstreams.read');
  // Only the answers to refused requests have a status here.
  const name =
    status === null ? (
      <StatusBadge tone="bad" wraps>
        {outcomeText('failed', { upstream, status: upstreamStatus, code }, isAdmin)}
      </StatusBadge>
    ) : (
      <StatusBadge tone="warn" wraps>
        {outcomeText('refused', { status, code }, isAdmin)}
      </StatusBadge>
    );
  return (
    <div className={classes.wrong}>
      {id === null ? (
        name
      ) : (
        <Group gap="xs" wrap="nowrap">
          <TextLink to="/requests" search={{ range: '30d', call: id }} title="Show the request">
            {name}
          </TextLink>
          {count > 1 && (
            <Badge size="sm" variant="light" color="gray" title={`${formatNumber(count)} identical errors; the newest`}>
              {formatNumber(count)} ×
            </Badge>
          )}
        </Group>
      )}
      {message && (
        <Text size="xs" c="dimmed" lineClamp={2} title={message}>
          {message}
        </Text>
      )}
    </div>
  );
}

/** The last failed requests, each with the id that an administrator can search for. */
export function RecentErrors({ errors }: RecentErrorsProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <Title order={2} size="h2" mb="sm" id={heading}>
        Recent errors
      </Title>
      {errors.length === 0 ? (
        <Paper p="lg">
          <Group gap="sm" wrap="nowrap">
            <CircleCheck size={18} color="var(--console-good)" aria-hidden />
            <Text size="sm" c="dimmed">
              No errors. Failed and refused requests appear here.
            </Text>
          </Group>
        </Paper>
      ) : (
        <Paper className={tableClasses.frame}>
          <Table role="table" aria-labelledby={heading} className={tableClasses.table} verticalSpacing={8}>
            <DataTableHead columns={COLUMNS} sort={null} onSort={() => undefined} hasMenu={false} />
            <Table.Tbody role="rowgroup">
              {errors.map((error) => (
                <DataTableRow
                  key={`${error.requestId} ${error.at}`}
                  row={error}
                  label={error.requestId}
                  columns={COLUMNS}
                  isSelected={false}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
    </section>
  );
}
