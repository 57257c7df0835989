import { UnstyledButton } from '@mantine/core';
import type { Column } from '../../kit/data-table-rows';
import { Money } from '../../kit/figures';
import { formatMs, formatNumber } from '../../kit/numbers';
import { type ZoneChoice, zoneName } from '../../kit/range';
import { StatusBadge, type StatusTone } from '../../kit/status-badge';
import { causeText, STATUS_LABELS } from '../../kit/words';
import classes from './requests.module.css';
import type { Call } from './requests-queries';

/** Whether there is nothing to show: the call runs, or failed before anything was generated or charged. */
export function hasNothingToCount({
  status,
  costUsd,
  inputTokens,
  outputTokens,
}: Pick<Call, 'status' | 'costUsd' | 'inputTokens' | 'outputTokens'>): boolean {
  if (status === 'open') return true;
  return status !== 'settled' && costUsd === 0 && inputTokens === 0 && outputTokens === 0;
}

const TONES: Record<string, StatusTone> = {
  open: 'waiting',
  settled: 'good',
  failed: 'bad',
  aborted: 'neutral',
  interrupted: 'warn',
  refused: 'warn',
};

/** The status of a request in words. */
export function CallStatus({ status }: { status: string }) {
  return <StatusBadge tone={TONES[status] ?? 'neutral'}>{STATUS_LABELS[status] ?? status}</StatusBadge>;
}

interface RequestColumnsOptions {
  zone: ZoneChoice;
  showsUsers: boolean;
  /** Administrators see error codes beside their words. */
  isAdmin: boolean;
  open: (id: string) => void;
}

/** One line for each request; the time opens its details, also with the keyboard. */
export function requestColumns({ zone, showsUsers, isAdmin, open }: RequestColumnsOptions): Column<Call>[] {
  const time = timeFormat(zone);
  const columns: (Column<Call> | false)[] = [
    {
      key: 'time',
      header: 'Time',
      onCard: 'title',
      cell: (call) => (
        <UnstyledButton className={classes.open} title="Show the details" onClick={() => open(call.id)}>
          <time dateTime={call.startedAt}>{time.format(new Date(call.startedAt))}</time>
        </UnstyledButton>
      ),
    },
    { key: 'status', header: 'Status', cell: (call) => <Outcome call={call} isAdmin={isAdmin} /> },
    { key: 'model', header: 'Model', cell: (call) => call.model && <Cut text={call.model} /> },
    { key: 'key', header: 'Key', cell: (call) => <Cut text={keyOf(call)} /> },
    showsUsers && {
      key: 'user',
      header: 'User',
      narrow: 'wide',
      cell: (call) => call.userId && <Cut text={call.userName} />,
    },
    {
      key: 'tokens',
      header: 'In / out',
      narrow: 'hide',
      align: 'right',
      cell: (call) => call.status !== 'refused' && (hasNothingToCount(call) ? '–' : <Tokens call={call} />),
    },
    {
      key: 'cost',
      header: 'Cost',
      align: 'right',
      cell: (call) =>
        call.status !== 'refused' && (hasNothingToCount(call) ? '–' : <Money usd={call.costUsd} decimals={6} />),
    },
    {
      key: 'first',
      header: 'First token',
      narrow: 'wide',
      align: 'right',
      onCard: 'hide',
      cell: (call) => call.stream && call.firstTokenMs !== null && formatMs(call.firstTokenMs),
    },
    {
      key: 'total',
      header: 'Total',
      align: 'right',
      cell: (call) => call.totalMs !== null && formatMs(call.totalMs),
    },
  ];
  return columns.filter((column) => column !== false);
}

function Outcome({ call, isAdmin }: { call: Call; isAdmin: boolean }) {
  const { status, errorCode, httpStatus, upstream, upstreamStatus, message } = call;
  const of = status === 'failed' ? upstream : null;
  const code = { upstream: of, status: status === 'refused' ? httpStatus : upstreamStatus, code: errorCode };
  const cause = causeText(code, isAdmin);
  const why = status === 'failed' && message ? `${cause}: ${message}` : cause;
  return (
    <span className={classes.outcome}>
      <CallStatus status={status} />
      {why && (
        <span className={classes.why} title={message ?? why}>
          {why}
        </span>
      )}
    </span>
  );
}

function Tokens({ call: { inputTokens, cachedTokens, outputTokens } }: { call: Call }) {
  const cached = cachedTokens > 0 ? `, of which ${formatNumber(cachedTokens)} cached` : '';
  return (
    <span title={`${formatNumber(inputTokens)} in${cached}, ${formatNumber(outputTokens)} out`}>
      {formatNumber(inputTokens)} / {formatNumber(outputTokens)}
    </span>
  );
}

/** Of an unknown key, its display form is all that is known. */
function keyOf({ keyId, keyName, keyDisplay }: Call): string {
  return keyId === null && keyDisplay !== null ? keyDisplay : keyName;
}

function Cut({ text }: { text: string }) {
  return (
    <span className={classes.cut} title={text}>
      {text}
    </span>
  );
}

function timeFormat(zone: ZoneChoice): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(undefined, {
    timeZone: zoneName(zone),
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}
