import ChevronLeft from 'icon:chevron-left';
import ChevronRight from 'icon:chevron-right';
import Eye from 'icon:eye';
import TriangleAlert from 'icon:triangle-alert';
import { ActionIcon, Alert, Box, Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { mayAll, useSession } from '../../api/session';
import { CodeBlock } from '../../kit/code-block';
import { CopyableId } from '../../kit/figures';
import { FaultNote } from '../../kit/notes';
import { formatMs } from '../../kit/numbers';
import type { ZoneChoice } from '../../kit/range';
import { useShortcuts } from '../../kit/shortcuts';
import { QueryStates } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { Table } from '../../kit/table';
import { capital, causeText } from '../../kit/words';
import { CallActions } from './call-actions';
import { CallFacts, isCacheHit } from './call-facts';
import { RefusalNote } from './refusal-note';
import classes from './requests.module.css';
import { type CallDetail, callQuery } from './requests-queries';
import type { Steps } from './use-live-requests';

/** An attempt that was abandoned because another one answered first or the client left has not failed. */
function attemptKind(outcome: string): 'ok' | 'left' | 'error' {
  if (outcome === 'ok') return 'ok';
  return outcome === 'outrun' || outcome === 'aborted' ? 'left' : 'error';
}

interface AttemptsTimelineProps {
  attempts: CallDetail['attempts'];
  totalMs: number | null;
  firstTokenMs: number | null;
}

/**
 * A bar for each attempt along the request's time, and the time of its first token. The table beside it has the same.
 */
function AttemptsTimeline({ attempts, totalMs, firstTokenMs }: AttemptsTimelineProps) {
  const end = Math.max(totalMs ?? 0, ...attempts.map(({ startMs, ms }) => startMs + ms), 1);
  const part = (ms: number) => `${(100 * ms) / end}%`;
  return (
    <div className={classes.timeline} aria-hidden>
      {attempts.map(({ upstream, startMs, ms, outcome }) => (
        <div key={`${upstream} ${startMs}`} className={classes.lane}>
          <span className={classes.laneName}>{upstream}</span>
          <span className={classes.laneTrack}>
            <span
              className={classes.laneBar}
              data-outcome={attemptKind(outcome)}
              style={{ left: part(startMs), width: `max(3px, ${part(ms)})` }}
            />
            {outcome === 'ok' && firstTokenMs !== null && (
              <span className={classes.firstToken} style={{ left: part(firstTokenMs) }} title="First token" />
            )}
          </span>
        </div>
      ))}
      <div className={classes.lane}>
        <span />
        <span className={classes.scale}>
          <span>0</span>
          {firstTokenMs !== null && <span>first token after {formatMs(firstTokenMs)}</span>}
          <span>{formatMs(end)}</span>
        </span>
      </div>
    </div>
  );
}

/** Why the last attempt of a failed request failed, in the words of its upstream. */
function UpstreamFailure({ call: { status, attempts } }: { call: CallDetail }) {
  const isAdmin = mayAll(useSession(), 'upstreams.read');
  const last = attempts.findLast(({ outcome }) => attemptKind(outcome) === 'error');
  if (!last || (status !== 'failed' && status !== 'interrupted')) return null;
  return (
    <Alert
      color="red"
      icon={<TriangleAlert size={17} aria-hidden />}
      title={capital(causeText({ upstream: last.upstream, status: last.status, code: last.outcome }, isAdmin))}
    >
      {last.message ?? 'The provider sent no message.'}
    </Alert>
  );
}

function noAttemptText(call: CallDetail): string {
  if (isCacheHit(call)) return 'It was answered from the cache, so no provider was called.';
  return call.simulated ? 'The built-in simulator answered, so no provider was called.' : 'No provider was called.';
}

const TONES = { ok: 'good', left: 'neutral', error: 'bad' } as const;

/** Each attempt at an upstream: as a timeline of the request, and as a table. */
function CallAttempts({ call }: { call: CallDetail }) {
  const { attempts, totalMs, firstTokenMs, stream } = call;
  const isAdmin = mayAll(useSession(), 'upstreams.read');
  return (
    <Stack gap="sm">
      <Title order={3} size="h2">
        Attempts
      </Title>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {noAttemptText(call)}
        </Text>
      ) : (
        <>
          <AttemptsTimeline attempts={attempts} totalMs={totalMs} firstTokenMs={stream ? firstTokenMs : null} />
          <Box component="section" className={classes.attempts} aria-label="Attempts in detail" tabIndex={0}>
            <Table aria-label="Attempts" verticalSpacing={7}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Provider</Table.Th>
                  <Table.Th scope="col">Outcome</Table.Th>
                  <Table.Th scope="col" ta="right">
                    Started after
                  </Table.Th>
                  <Table.Th scope="col" ta="right">
                    Took
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {attempts.map(
                  ({ upstream, key, upstreamModel, outcome, status, startMs, ms, waitedMs, message, requestId }) => (
                    <Table.Tr key={`${upstream} ${startMs}`}>
                      <Table.Td>
                        {upstream}
                        {key && ` · key ${key}`}
                        <Text size="xs" c="dimmed">
                          {upstreamModel}
                        </Text>
                      </Table.Td>
                      <Table.Td className={classes.outcomeCell}>
                        <StatusBadge tone={TONES[attemptKind(outcome)]} wraps>
                          {outcome === 'ok'
                            ? `${status ?? ''} OK`
                            : capital(causeText({ status, code: outcome }, isAdmin))}
                        </StatusBadge>
                        {message && (
                          <Text size="xs" c="dimmed" className={classes.message}>
                            {message}
                          </Text>
                        )}
                        {requestId && (
                          <Text size="xs" c="dimmed" className={classes.message} component="div">
                            Provider's request id
                            <CopyableId value={requestId} what="provider's request id" />
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">
                        {formatMs(startMs)}
                        {waitedMs && (
                          <Text size="xs" c="dimmed">
                            {formatMs(waitedMs)} waiting
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">{formatMs(ms)}</Table.Td>
                    </Table.Tr>
                  ),
                )}
              </Table.Tbody>
            </Table>
          </Box>
        </>
      )}
    </Stack>
  );
}

type StoredContent = components['schemas']['CallContentView'];
type LoggedChoice = components['schemas']['LoggedChoiceView'];

function showContent(id: string): Promise<StoredContent> {
  return unwrap(api.GET('/api/usage/calls/{id}/content', { params: { path: { id } } }));
}

const HEIGHT = 320;

interface CallContentProps {
  id: string;
  mayRead: boolean;
}

/** The prompt and the answer, on demand: each look is recorded. */
function CallContent({ id, mayRead }: CallContentProps) {
  const look = useMutation({ mutationFn: () => showContent(id), gcTime: 0 });
  return (
    <Stack gap="sm">
      <Title order={3} size="h2">
        Prompt and answer
      </Title>
      {look.data ? (
        <Shown content={look.data} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            The content log of this key is on.{' '}
            {mayRead
              ? 'The audit log records who views it.'
              : 'Only managers of the project and administrators can read it.'}
          </Text>
          {mayRead && (
            <Button
              variant="default"
              leftSection={<Eye size={15} aria-hidden="true" />}
              loading={look.isPending}
              onClick={() => look.mutate()}
              style={{ alignSelf: 'flex-start' }}
            >
              Show prompt and answer
            </Button>
          )}
        </>
      )}
      <FaultNote fault={look.error && messageOf(look.error)} />
    </Stack>
  );
}

function Shown({ content: { request, answer, isCut } }: { content: StoredContent }) {
  return (
    <>
      <CodeBlock code={JSON.stringify(request, null, 2)} label="prompt" maxHeight={HEIGHT} />
      {answer.length === 0 && (
        <Text size="sm" c="dimmed">
          There was no answer.
        </Text>
      )}
      {answer.map((choice) => (
        <CodeBlock key={choice.index} code={answerText(choice)} label="answer" maxHeight={HEIGHT} />
      ))}
      {isCut && (
        <Text size="sm" c="dimmed">
          Part of it was too long to be stored.
        </Text>
      )}
    </>
  );
}

function answerText({ reasoning, content, refusal, toolCalls, finishReason }: LoggedChoice): string {
  const parts = [
    reasoning && `Reasoning:\n${reasoning}`,
    content,
    refusal && `Refusal:\n${refusal}`,
    ...toolCalls.map(({ name, arguments: given }) => `Tool call ${name}: ${given}`),
    finishReason === null && '(The answer was cut off here.)',
  ];
  return parts.filter(Boolean).join('\n\n');
}

interface CallDrawerProps {
  /** The id of the call to show; null closes the drawer. */
  id: string | null;
  zone?: ZoneChoice;
  onClose: () => void;
  steps: Steps;
}

/** One request with each attempt at an upstream, and its content if that is stored. */
export function CallDrawer({ id, zone = 'local', onClose, steps }: CallDrawerProps) {
  const query = useQuery({ ...callQuery(id ?? ''), enabled: id !== null, placeholderData: keepPreviousData });
  const step = (to: (() => void) | null) => () => {
    if (id !== null) to?.();
  };
  useShortcuts([
    ['ArrowLeft', step(steps.previous)],
    ['k', step(steps.previous)],
    ['ArrowRight', step(steps.next)],
    ['j', step(steps.next)],
  ]);
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      title={
        <Group gap="xs">
          Request
          <StepButton label="Newer request" run={steps.previous} icon={<ChevronLeft size={17} aria-hidden />} />
          <StepButton label="Older request" run={steps.next} icon={<ChevronRight size={17} aria-hidden />} />
        </Group>
      }
      classNames={{ title: classes.drawerTitle }}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryStates query={query} skeleton={<CallSkeleton />}>
        {(call) => (
          <Stack gap="xl">
            <UpstreamFailure call={call} />
            <RefusalNote call={call} />
            <CallActions key={call.id} call={call} />
            <CallFacts call={call} zone={zone} />
            {call.status !== 'refused' && <CallAttempts call={call} />}
            {call.hasContent && <CallContent key={call.id} id={call.id} mayRead={call.mayReadContent} />}
          </Stack>
        )}
      </QueryStates>
    </Drawer>
  );
}

interface StepButtonProps {
  label: string;
  run: (() => void) | null;
  icon: React.ReactNode;
}

function StepButton({ label, run, icon }: StepButtonProps) {
  return (
    <ActionIcon aria-label={label} title={label} disabled={run === null} onClick={() => run?.()}>
      {icon}
    </ActionIcon>
  );
}

function CallSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton h={24} w="40%" />
      <Skeleton h={220} />
      <Skeleton h={140} />
    </Stack>
  );
}
