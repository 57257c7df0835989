import { Code, Drawer, Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { CopyButton } from '../../kit/copy-button';
import { RelativeTime } from '../../kit/figures';
import { formatMs, formatPercent } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import { limitScope, limitTexts, type Upstream } from './target-words';
import classes from './upstreams.module.css';
import { UpstreamFaults, UpstreamHealth } from './upstreams-table';

/** The provider's limits, and how much of each is used now. */
function ProviderLimits({ upstream: { limits } }: { upstream: Upstream }) {
  return (
    <ul className={classes.list}>
      {limits.map((limit) => (
        <li key={`${limit.model} ${limit.key}`}>
          {limitScope(limit)}
          <Text size="xs" c="dimmed">
            {limitTexts(limit).join(' · ')}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** The configuration, and the results of the last day. */
function UpstreamFacts({ upstream }: { upstream: Upstream }) {
  const { protocol, baseUrl, apiVersion, project, location, baseUrlSetBy } = upstream;
  const facts: [string, ReactNode][] = [
    ['Protocol', protocol],
    ['Base URL', <Address key="url" url={baseUrl} setBy={baseUrlSetBy} />],
    ['Credential', <Credential key="credential" upstream={upstream} />],
    ...(apiVersion ? [['API version', apiVersion] as [string, ReactNode]] : []),
    ...(project ? [['Project', `${project}${location ? `, ${location}` : ''}`] as [string, ReactNode]] : []),
    ['Models', <Models key="models" upstream={upstream} />],
    ...(upstream.limits.length > 0
      ? [['Provider limits', <ProviderLimits key="limits" upstream={upstream} />] as [string, ReactNode]]
      : []),
    ['Time limits', <Clocks key="clocks" upstream={upstream} />],
    ['Cached input', cachedText(upstream)],
    ['Last success', <RelativeTime key="success" value={upstream.lastSuccessAt} never="None in 24 hours" />],
    ['Last error', <LastError key="error" upstream={upstream} />],
    ...(upstream.faults.length > 0
      ? [['Does not answer', <UpstreamFaults key="faults" faults={upstream.faults} />] as [string, ReactNode]]
      : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** In the last day. */
function cachedText({ cachedShare }: Upstream): string {
  return cachedShare === null ? 'No input in 24 hours' : `${formatPercent(cachedShare)} in 24 hours`;
}

function Address({ url, setBy }: { url: string; setBy: string | null }) {
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Code fz="xs" className={classes.id}>
          {url}
        </Code>
        <CopyButton value={url} what="base URL" size={13} />
      </Group>
      {setBy && <Variable name={setBy} />}
    </>
  );
}

/** Where the credential from a cloud comes from and until when, and why it is not renewed. */
function FetchedCredential({ credential }: { credential: NonNullable<Upstream['credential']> }) {
  const { source, expiresAt, isValid, failingSince, reason } = credential;
  return (
    <>
      <Text size="sm">
        {source === null ? 'None so far' : `From ${source}`}
        {expiresAt && (
          <>
            {isValid ? ', until ' : ', ended '}
            <RelativeTime value={expiresAt} />
          </>
        )}
      </Text>
      {failingSince && (
        <Text size="xs" c={isValid ? 'var(--console-warn)' : 'var(--console-bad)'}>
          Not renewed since <RelativeTime value={failingSince} />: {reason}
        </Text>
      )}
    </>
  );
}

function Credential({ upstream: { auth, variables, setVariables, credential } }: { upstream: Upstream }) {
  if (auth === 'none') return 'Needs none';
  if (credential) return <FetchedCredential credential={credential} />;
  if (setVariables.length > 0) return setVariables.map((name) => <Variable key={name} name={name} />);
  return (
    <>
      {variables.map((group, i) => (
        <Fragment key={group.join()}>
          <Text size="xs" c="dimmed">
            {i === 0 ? 'Set' : 'or'}
          </Text>
          <Group gap={4}>
            {group.map((name) => (
              <Fragment key={name}>
                <Code fz="xs">{name}</Code>
                <CopyButton value={name} what={name} size={12} />
              </Fragment>
            ))}
          </Group>
        </Fragment>
      ))}
    </>
  );
}

function Variable({ name }: { name: string }) {
  return (
    <Group gap={6}>
      <Code fz="xs">{name}</Code>
      <Text size="xs" c="dimmed">
        is set
      </Text>
    </Group>
  );
}

function Models({ upstream: { models } }: { upstream: Upstream }) {
  if (models.length === 0) {
    return (
      <Text span c="dimmed" inherit>
        None in the catalog
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {models.map(({ id, upstreamModel }) => (
        <li key={`${id} ${upstreamModel}`}>
          {id}
          {upstreamModel !== id && <span className={classes.other}> → {upstreamModel}</span>}
        </li>
      ))}
    </ul>
  );
}

const CLOCKS = [
  ['connect', 'until connected'],
  ['head', 'until the response headers'],
  ['firstEvent', 'until the first event of a stream'],
  ['idle', 'between two chunks'],
  ['total', 'the whole call'],
] as const;

function Clocks({ upstream: { clocks } }: { upstream: Upstream }) {
  return (
    <dl className={classes.clocks}>
      {CLOCKS.map(([key, description]) => (
        <Fragment key={key}>
          <dt>{description}</dt>
          <dd>{formatMs(clocks[key])}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function LastError({ upstream: { lastError } }: { upstream: Upstream }) {
  if (!lastError) return <RelativeTime value={null} never="None in 24 hours" />;
  const { at, code, status, message, model, requestId } = lastError;
  return (
    <>
      <Group gap={6}>
        <RelativeTime value={at} detail={model} />
        <Code fz="xs">{status ? `${code} (${status})` : code}</Code>
      </Group>
      {message && (
        <Text size="xs" c="dimmed" className={classes.error}>
          {message}
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <TextLink to="/requests" search={{ scope: 'all', range: '30d', call: requestId }} size="xs">
          {requestId}
        </TextLink>
        <CopyButton value={requestId} what="request id" size={12} />
      </Group>
    </>
  );
}

interface UpstreamDrawerProps {
  /** Null closes the drawer. */
  upstream: Upstream | null;
  onClose: () => void;
}

/** The whole configuration of an upstream: variables, clocks and models. */
export function UpstreamDrawer({ upstream, onClose }: UpstreamDrawerProps) {
  return (
    <Drawer
      opened={upstream !== null}
      onClose={onClose}
      title={upstream?.name}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {upstream && (
        <Stack gap="md">
          <Group>
            <UpstreamHealth health={upstream.health} />
          </Group>
          <UpstreamFacts upstream={upstream} />
        </Stack>
      )}
    </Drawer>
  );
}
