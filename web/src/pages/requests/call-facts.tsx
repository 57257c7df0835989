import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { mayAll, useSession } from '../../api/session';
import { formatMs, formatNumber, formatUsdExactly } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import type { ZoneChoice } from '../../kit/range';
import { formatTime } from '../../kit/times';
import { API_LABELS, capital, codeWords, endingText, GUARD_ACTION_LABELS } from '../../kit/words';
import { clientOf, idsOf, responseOf } from './call-client';
import { chargeSentences } from './charge-words';
import { CallStatus, hasNothingToCount } from './request-columns';
import classes from './requests.module.css';
import type { CallDetail } from './requests-queries';

function ModelLink({ id }: { id: string }) {
  return (
    <TextLink to="/models/$" params={{ _splat: id }} inherit>
      {id}
    </TextLink>
  );
}

/** A link to the key's page. An unknown key has none, and neither has the temporary one of the playground. */
function KeyLink({ call: { keyId, keyName, keyDisplay, isPlayground } }: { call: CallDetail }) {
  if (keyId === null) return keyDisplay ?? 'Unknown';
  if (isPlayground) return 'Temporary key of the playground';
  return (
    <>
      <TextLink to="/keys/$id" params={{ id: keyId }} inherit>
        {keyName}
      </TextLink>
      {keyDisplay && ` · ${keyDisplay}`}
    </>
  );
}

function ProjectLink({ project: { id, name } }: { project: NonNullable<CallDetail['project']> }) {
  return (
    <TextLink to="/projects/$id" params={{ id }} inherit>
      {name}
    </TextLink>
  );
}

/** Administrators get to the user, others are the user themselves. */
function UserLink({ call: { userId, userName } }: { call: CallDetail }) {
  const mayOpenUsers = mayAll(useSession(), 'users.read');
  if (userId === null) return 'Unknown';
  if (!mayOpenUsers) return userName;
  return (
    <TextLink to="/users/$id" params={{ id: userId }} inherit>
      {userName}
    </TextLink>
  );
}

/** The ledger's facts about a request. */
export function CallFacts({ call, zone }: { call: CallDetail; zone: ZoneChoice }) {
  const isAdmin = mayAll(useSession(), 'upstreams.read');
  return (
    <Stack gap="md">
      <Group gap="xs">
        <CallStatus status={call.status} />
        {call.errorCode && <Text size="sm">{capital(codeWords(call.errorCode))}</Text>}
        {call.errorCode && isAdmin && <Code>{call.errorCode}</Code>}
        {call.simulated && <Badge color="gray">Simulated</Badge>}
        {isCacheHit(call) && <Badge color="gray">From the cache</Badge>}
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

const TOKEN_SOURCES = { reported: 'Reported by the provider', estimated: 'Estimated by the gateway', none: 'Not yet' };

function factsOf(call: CallDetail, zone: ZoneChoice): [string, ReactNode][] {
  const { upstream, upstreamModel } = call;
  return [
    ['Time', formatTime(new Date(call.startedAt), zone)],
    ...idsOf(call),
    ...responseOf(call),
    ['API', API_LABELS[call.api] ?? call.api],
    ['Model', <ModelLink key="model" id={call.model} />],
    ...answeredBy(call),
    ['Provider', upstream ? `${upstream}${upstreamModel ? ` · ${upstreamModel}` : ''}` : '–'],
    ['Key', <KeyLink key="key" call={call} />],
    ...ownersOf(call),
    ['Plan', call.planId ?? '–'],
    [
      'Answer',
      `${call.stream ? 'Streamed' : 'Not streamed'}${call.finishReason ? `, ${endingText(call.finishReason)}` : ''}`,
    ],
    ...guardsOf(call),
    ...amountsOf(call),
    ...firstToken(call),
    ['Total time', call.totalMs === null ? '–' : formatMs(call.totalMs)],
    ...clientOf(call),
  ];
}

/** Answered with the stored answer of an equal call. */
export function isCacheHit({ charge }: CallDetail): boolean {
  return charge !== null && charge.cachedUsd !== null;
}

/** What guards found in it. */
function guardsOf({ guards }: CallDetail): [string, ReactNode][] {
  if (guards.length === 0) return [];
  const sentences = guards.map(
    ({ guard, kind, action, side, count }) =>
      `${guard}: ${kind} ${GUARD_ACTION_LABELS[action].toLowerCase()}${count === 1 ? '' : ` ${formatNumber(count)} times`} in the ${side}`,
  );
  return [['Guards', <span key="guards">{sentences.join('; ')}</span>]];
}

/** What the call used and costs. */
function amountsOf(call: CallDetail): [string, ReactNode][] {
  if (hasNothingToCount(call)) {
    return [
      ['Input tokens', '–'],
      ['Output tokens', '–'],
      ['Cost', '–'],
    ];
  }
  return [
    ['Input tokens', withPart(call.inputTokens, call.cachedTokens, 'cached')],
    ['Output tokens', <OutputTokens key="output" call={call} />],
    ['Token counts', call.simulated ? 'Counted by the simulator' : TOKEN_SOURCES[call.tokenSource ?? 'none']],
    ['Cost', <Cost key="cost" call={call} />],
  ];
}

/** An answer that is not streamed arrives in one piece. */
function firstToken({ stream, firstTokenMs }: CallDetail): [string, ReactNode][] {
  return stream && firstTokenMs !== null ? [['First token', formatMs(firstTokenMs)]] : [];
}

/** Set if another model answered than the requested one. */
function answeredBy({ model, servedModel }: CallDetail): [string, ReactNode][] {
  return servedModel === null || servedModel === model
    ? []
    : [['Answered by', <ModelLink key="served" id={servedModel} />]];
}

/** With the ceiling that a budget has set. */
function OutputTokens({ call }: { call: CallDetail }) {
  const ceiling = call.charge?.outputCeiling ?? null;
  return (
    <>
      {withPart(call.outputTokens, call.reasoningTokens, 'reasoning')}
      {ceiling !== null && (
        <Text c="dimmed" inherit>
          At most {formatNumber(ceiling)}: a longer answer would not have fit what was left of a budget.
        </Text>
      )}
    </>
  );
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
    ...idsOf(call),
    ...responseOf(call),
    ['Message', call.message ?? '–'],
    ['API', API_LABELS[call.api] ?? call.api],
    ['Requested model', call.model || '–'],
    ['Key', <KeyLink key="key" call={call} />],
    ...guardsOf(call),
    ...ownersOf(call),
    ...clientOf(call),
  ];
}

/** A key belongs to a user, to a project, or to a service account of a project. */
function ownersOf(call: CallDetail): [string, ReactNode][] {
  const user: [string, ReactNode] = ['User', <UserLink key="user" call={call} />];
  const { project } = call;
  if (project === null) return [user];
  const ofProject: [string, ReactNode] = ['Project', <ProjectLink key="project" project={project} />];
  return project.isOwner ? [ofProject] : [ofProject, ['Service account', user[1]]];
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
