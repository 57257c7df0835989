import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { CopyableId } from '../../kit/copyable-id';
import { formatNumber, formatUsdExactly } from '../../kit/numbers';
import { formatTime } from '../../kit/times';
import { CallStatus } from './call-status';
import type { ZoneChoice } from './range';
import { formatValue } from './units';
import classes from './usage.module.css';
import type { CallDetail } from './usage-queries';

/** What the ledger knows of a request. */
export function CallFacts({ call, zone }: { call: CallDetail; zone: ZoneChoice }) {
  return (
    <Stack gap="md">
      <Group gap="xs">
        <CallStatus status={call.status} />
        {call.errorCode && <Code>{call.errorCode}</Code>}
        {call.simulated && <Badge color="gray">Simulated</Badge>}
      </Group>
      <dl className={classes.facts}>
        {(call.status === 'refused' ? refusedFacts(call, zone) : factsOf(call, zone)).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Stack>
  );
}

const TOKEN_SOURCES = { reported: 'by the upstream', estimated: 'by the gateway, estimated', none: 'not yet' };

function factsOf(call: CallDetail, zone: ZoneChoice): [string, ReactNode][] {
  const { upstream, upstreamModel } = call;
  return [
    ['Time', formatTime(new Date(call.startedAt), zone)],
    ['Request id', <CopyableId key="request" value={call.requestId} what="request id" />],
    ['Completion id', <CopyableId key="completion" value={call.id} what="completion id" />],
    ['Model', call.model],
    ['Upstream', upstream ? `${upstream}${upstreamModel ? ` · ${upstreamModel}` : ''}` : '–'],
    ['Key', call.keyDisplay ? `${call.keyName} · ${call.keyDisplay}` : call.keyName],
    ['User', call.userName],
    ['Plan', call.planId ?? '–'],
    [
      'Answer',
      `${call.stream ? 'Streamed' : 'In one piece'}${call.finishReason ? `, ended by ${call.finishReason}` : ''}`,
    ],
    ['Input tokens', withPart(call.inputTokens, call.cachedTokens, 'cached')],
    ['Output tokens', withPart(call.outputTokens, call.reasoningTokens, 'reasoning')],
    ['Tokens counted', call.simulated ? 'by the simulator' : TOKEN_SOURCES[call.tokenSource ?? 'none']],
    ['Cost', formatUsdExactly(call.costUsd)],
    ['First token', formatValue(call.firstTokenMs, 'ms')],
    ['Total time', formatValue(call.totalMs, 'ms')],
  ];
}

/** It went no farther than the gateway's own checks. */
function refusedFacts(call: CallDetail, zone: ZoneChoice): [string, ReactNode][] {
  return [
    ['Time', formatTime(new Date(call.startedAt), zone)],
    ['Request id', <CopyableId key="request" value={call.requestId} what="request id" />],
    ['Answered', `HTTP ${call.httpStatus}`],
    ['Message', call.message ?? '–'],
    ['Asked for', call.model || '–'],
    ['Key', call.keyDisplay ? `${call.keyName} · ${call.keyDisplay}` : call.keyName],
    ['User', call.userName],
  ];
}

function withPart(whole: number, part: number, name: string): ReactNode {
  return (
    <>
      {formatNumber(whole)}
      {part > 0 && (
        <Text span c="dimmed" inherit>
          {' '}
          of which {formatNumber(part)} {name}
        </Text>
      )}
    </>
  );
}
