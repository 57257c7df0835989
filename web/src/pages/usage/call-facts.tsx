import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { CopyableId } from '../../kit/copyable-id';
import { formatNumber, formatUsdExactly } from '../../kit/numbers';
import { formatTime } from '../../kit/times';
import { CallStatus } from './call-status';
import { chargeSentences } from './charge-words';
import type { ZoneChoice } from './range';
import { formatValue } from './units';
import classes from './usage.module.css';
import type { CallDetail } from './usage-queries';

/** The ledger's facts about a request. */
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

const TOKEN_SOURCES = { reported: 'Reported by the upstream', estimated: 'Estimated by the gateway', none: 'Not yet' };

function factsOf(call: CallDetail, zone: ZoneChoice): [string, ReactNode][] {
  const { upstream, upstreamModel } = call;
  return [
    ['Time', formatTime(new Date(call.startedAt), zone)],
    ['Request id', <CopyableId key="request" value={call.requestId} what="request id" />],
    ['Completion id', <CopyableId key="completion" value={call.id} what="completion id" />],
    ['API', call.api],
    ['Model', call.model],
    ...answeredBy(call),
    ['Upstream', upstream ? `${upstream}${upstreamModel ? ` · ${upstreamModel}` : ''}` : '–'],
    ['Key', call.keyDisplay ? `${call.keyName} · ${call.keyDisplay}` : call.keyName],
    ['User', call.userName],
    ['Plan', call.planId ?? '–'],
    [
      'Answer',
      `${call.stream ? 'Streamed' : 'Not streamed'}${call.finishReason ? `, ended by ${call.finishReason}` : ''}`,
    ],
    ['Input tokens', withPart(call.inputTokens, call.cachedTokens, 'cached')],
    ['Output tokens', withPart(call.outputTokens, call.reasoningTokens, 'reasoning')],
    ['Token counts', call.simulated ? 'Counted by the simulator' : TOKEN_SOURCES[call.tokenSource ?? 'none']],
    ['Cost', <Cost key="cost" call={call} />],
    ['First token', formatValue(call.firstTokenMs, 'ms')],
    ['Total time', formatValue(call.totalMs, 'ms')],
  ];
}

/** Set if another model answered than the requested one. */
function answeredBy({ model, servedModel }: CallDetail): [string, ReactNode][] {
  return servedModel === null || servedModel === model ? [] : [['Answered by', servedModel]];
}

/** With an explanation if it is not just the list price. */
function Cost({ call }: { call: CallDetail }) {
  const sentences = chargeSentences(call);
  return (
    <>
      {formatUsdExactly(call.costUsd)}
      {sentences.length > 0 && (
        <ul className={classes.reasons} aria-label="Cost breakdown">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Refused by the gateway's own checks. */
function refusedFacts(call: CallDetail, zone: ZoneChoice): [string, ReactNode][] {
  return [
    ['Time', formatTime(new Date(call.startedAt), zone)],
    ['Request id', <CopyableId key="request" value={call.requestId} what="request id" />],
    ['Answered', `HTTP ${call.httpStatus}`],
    ['Message', call.message ?? '–'],
    ['API', call.api],
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
