import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { CopyButton } from '../../kit/copy-button';
import type { Column } from '../../kit/data-table.types';
import { Money } from '../../kit/money';
import { formatNumber } from '../../kit/numbers';
import classes from './call-columns.module.css';
import { CallStatus } from './call-status';
import { type ZoneChoice, zoneName } from './range';
import { formatValue } from './units';
import shared from './usage.module.css';
import type { Call } from './usage-queries';

/** The columns of the list of requests; the time opens a request's details, also with the keyboard. */
export function callColumns(zone: ZoneChoice, open: (id: string) => void): Column<Call>[] {
  const time = new Intl.DateTimeFormat(undefined, {
    timeZone: zoneName(zone),
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return [
    {
      key: 'time',
      header: 'Time and request id',
      onCard: 'title',
      cell: ({ id, startedAt, requestId }) => (
        <Stack gap={0}>
          <UnstyledButton className={shared.groupName} title="Show the details" onClick={() => open(id)}>
            <time dateTime={startedAt}>{time.format(new Date(startedAt))}</time>
          </UnstyledButton>
          <Group gap={2} wrap="nowrap">
            <span className={classes.requestId} title={requestId}>
              {requestId}
            </span>
            <CopyButton value={requestId} what="request id" size={12} />
          </Group>
        </Stack>
      ),
    },
    { key: 'status', header: 'Status', cell: (call) => <Outcome call={call} /> },
    {
      key: 'model',
      header: 'Model',
      cell: ({ model, upstream }) => <TwoLines first={model || '–'} second={upstream} />,
    },
    { key: 'key', header: 'Key', cell: ({ keyName, userName }) => <TwoLines first={keyName} second={userName} /> },
    {
      key: 'tokens',
      header: 'In / cached / out',
      narrow: 'hide',
      align: 'right',
      cell: ({ status, inputTokens, cachedTokens, outputTokens }) =>
        status !== 'refused' && (
          <span className={shared.oneLine}>
            {formatNumber(inputTokens)} / {formatNumber(cachedTokens)} / {formatNumber(outputTokens)}
          </span>
        ),
    },
    {
      key: 'cost',
      header: 'Cost',
      align: 'right',
      cell: ({ status, costUsd }) => status !== 'refused' && <Money usd={costUsd} decimals={6} />,
    },
    {
      key: 'first',
      header: 'First token',
      narrow: 'hide',
      align: 'right',
      onCard: 'hide',
      cell: ({ firstTokenMs }) => <span className={shared.oneLine}>{formatValue(firstTokenMs, 'ms')}</span>,
    },
    {
      key: 'total',
      header: 'Total',
      align: 'right',
      cell: ({ status, totalMs, stream }) =>
        status !== 'refused' && (
          <TwoLines first={formatValue(totalMs, 'ms')} second={stream ? 'streamed' : 'not streamed'} />
        ),
    },
  ];
}

function Outcome({ call: { status, finishReason, errorCode, httpStatus, message } }: { call: Call }) {
  if (status === 'refused') return <Refusal httpStatus={httpStatus} errorCode={errorCode} message={message} />;
  return (
    <Stack gap={0} className={classes.outcome}>
      <CallStatus status={status} />
      {(errorCode ?? finishReason) && (
        <Text size="xs" c="dimmed" className={classes.secondLine}>
          {errorCode ?? finishReason}
        </Text>
      )}
    </Stack>
  );
}

function Refusal({ httpStatus, errorCode, message }: Pick<Call, 'httpStatus' | 'errorCode' | 'message'>) {
  return (
    <Stack gap={0} className={`${classes.outcome} ${classes.refusal}`}>
      <CallStatus status="refused" />
      <Text size="xs" c="dimmed" lineClamp={2} className={classes.message} title={message ?? undefined}>
        {httpStatus} {message ?? errorCode}
      </Text>
    </Stack>
  );
}

function TwoLines({ first, second }: { first: string; second: string | null }) {
  return (
    <Stack gap={0} className={classes.twoLines}>
      <span className={classes.cut} title={first}>
        {first}
      </span>
      {second && (
        <Text size="xs" c="dimmed" className={classes.cut} title={second}>
          {second}
        </Text>
      )}
    </Stack>
  );
}
