import ArrowRight from 'icon:arrow-right';
import Check from 'icon:check';
import CircleCheck from 'icon:circle-check';
import CircleX from 'icon:circle-x';
import KeyRound from 'icon:key-round';
import Plus from 'icon:plus';
import X from 'icon:x';
import { ActionIcon, Box, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import { mayAll, useSession } from '../../api/session';
import { ButtonLink, TextLink } from '../../kit/page';
import { Snippets } from '../../kit/snippets';
import { formatClock } from '../../kit/times';
import { causeText } from '../../kit/words';
import classes from './overview.module.css';
import { firstCallQuery } from './overview-queries';

interface FirstCallStateProps {
  first: components['schemas']['FirstCallView'] | undefined;
}

const SPARKS = Array.from({ length: 10 }, (_, index) => index);

/** "Waiting…", until the first request has arrived; one that failed is shown until another succeeds. */
function FirstCallState({ first }: FirstCallStateProps) {
  if (first?.failure) return <FirstFailure failure={first.failure} />;
  return (
    <div role="status" className={classes.firstCall} data-done={first?.done || undefined}>
      {first?.done ? (
        <Group gap="sm" wrap="nowrap">
          <span className={classes.celebration} aria-hidden>
            <CircleCheck size={22} />
            {SPARKS.map((spark) => (
              <i key={spark} style={{ '--spark': spark } as React.CSSProperties} />
            ))}
          </span>
          <Text size="sm">
            <Text span fw={600} inherit>
              Your first request came through
            </Text>
            {first.model && <> – {first.model} answered</>}
            {first.at && <> at {formatClock(new Date(first.at))}</>}.
          </Text>
        </Group>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Loader size={16} color="gray" aria-hidden />
          <Text c="dimmed" size="sm">
            Waiting for your first request…
          </Text>
        </Group>
      )}
    </div>
  );
}

/** The first request arrived, but there was no answer. */
function FirstFailure({ failure }: { failure: NonNullable<components['schemas']['FirstCallView']['failure']> }) {
  const isAdmin = mayAll(useSession(), 'upstreams.read');
  const { id, status, code, upstream, upstreamStatus, message } = failure;
  const cause = status === null ? { upstream, status: upstreamStatus, code } : { status, code };
  return (
    <div role="status" className={classes.firstCall} data-failed>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <CircleX size={20} color="var(--console-bad)" aria-hidden style={{ flex: 'none' }} />
        <div>
          <Text size="sm" fw={600}>
            Your request arrived, but it got no answer: {causeText(cause, isAdmin)}
          </Text>
          {message && <Text size="sm">{message}</Text>}
          <Text size="sm" c="dimmed">
            {id !== null && (
              <TextLink to="/requests" search={{ range: '30d', call: id }} inherit>
                Show the request
              </TextLink>
            )}{' '}
            Waiting for the next one…
          </Text>
        </div>
      </Group>
    </div>
  );
}

interface StartCardProps {
  hasKey: boolean;
  /** A model that the person can use. */
  exampleModel: string;
  onClose: () => void;
}

/** The steps to the first request: a key, a snippet, and the confirmation that the request arrived. */
export function StartCard({ hasKey, exampleModel, onClose }: StartCardProps) {
  const { baseUrl } = useSession();
  const { data: first } = useQuery(firstCallQuery);
  const done = first?.done === true;
  return (
    <Card>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="lg">
        <Stack gap={4}>
          <Title order={2} size="h2">
            {done ? 'You are up and running' : 'Make your first request'}
          </Title>
          <Text c="dimmed" size="sm">
            {done
              ? 'This page shows your usage and its cost from now on.'
              : 'Three steps, two minutes. Any OpenAI-compatible client works.'}
          </Text>
        </Stack>
        <ActionIcon aria-label="Close the first steps" onClick={onClose}>
          <X size={17} aria-hidden />
        </ActionIcon>
      </Group>
      <ol className={classes.steps}>
        <Step number={1} title="Create an API key" done={hasKey || done}>
          {hasKey || done ? (
            <Group gap="xs">
              <Text c="dimmed" size="sm">
                You have a key. Its secret was shown once, when the key was created.
              </Text>
              <ButtonLink
                to="/keys"
                size="compact-sm"
                variant="subtle"
                leftSection={<KeyRound size={14} aria-hidden />}
              >
                Your keys
              </ButtonLink>
            </Group>
          ) : (
            <ButtonLink to="/keys" search={{ create: 'first' }} leftSection={<Plus size={16} aria-hidden />}>
              Create key
            </ButtonLink>
          )}
        </Step>
        <Step number={2} title="Send a request with it" done={done}>
          <Snippets baseUrl={baseUrl} model={exampleModel} />
        </Step>
        <Step number={3} title="See it arrive" done={done}>
          <FirstCallState first={first} />
        </Step>
      </ol>
      {done && (
        <Group mt="lg" gap="xs">
          <ButtonLink to="/requests" search={{ range: 'today' }} rightSection={<ArrowRight size={15} aria-hidden />}>
            View the request
          </ButtonLink>
          <ButtonLink to="/playground" variant="default">
            Try more models
          </ButtonLink>
        </Group>
      )}
    </Card>
  );
}

interface StepProps {
  number: number;
  title: string;
  done: boolean;
  children: ReactNode;
}

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className={classes.step} data-done={done || undefined}>
      <span className={classes.stepMark} aria-hidden>
        {done ? <Check size={15} strokeWidth={2.5} /> : number}
      </span>
      <Box className={classes.stepBody}>
        <Title order={3} size="h3" mb="xs">
          {title}
          {done && <span className={classes.srOnly}> (done)</span>}
        </Title>
        {children}
      </Box>
    </li>
  );
}
