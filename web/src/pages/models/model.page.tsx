import MessagesSquare from 'icon:messages-square';
import SearchX from 'icon:search-x';
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { UsageAndErrors } from '../../activity/usage-and-errors';
import { type ModelView, modelsQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../kit/code-block';
import { CopyButton } from '../../kit/copy-button';
import { Kpi } from '../../kit/kpi';
import { formatMs, formatNumber } from '../../kit/numbers';
import { Tip } from '../../kit/on-demand';
import { BackLink, ButtonLink, Grid, Page, Section, TextLink } from '../../kit/page';
import { EmptyState, Loading, QueryStates } from '../../kit/states';
import { formatDate } from '../../kit/times';
import { Capabilities, Modalities, ModelState, PriceOptions, PriceState, PriceTerms, Tier } from './model-badges';
import {
  failuresText,
  type ModelActivity,
  modelActivityQuery,
  priceText,
  SPEED_ABOUT,
  speedBasis,
  speedText,
  successText,
} from './model-text';
import classes from './models.module.css';

const Snippets = lazy(() => import('../../kit/snippets').then((module) => ({ default: module.Snippets })));

const COLUMNS = { base: 2, sm: 3, lg: 5 };

/** How a model did in the last 24 hours. */
function ModelFigures({ model }: { model: ModelView }) {
  const query = useQuery(modelActivityQuery);
  return (
    <Section title="Last 24 hours">
      <QueryStates query={query}>
        {(all) => <Figures model={model} activity={all.find(({ id }) => id === model.id)} />}
      </QueryStates>
    </Section>
  );
}

function Figures({ model, activity }: { model: ModelView; activity: ModelActivity | undefined }) {
  const { p50FirstTokenMs: p50 = null, p95FirstTokenMs: p95 = null } = activity ?? {};
  return (
    <Stack gap="xs">
      <Grid cols={COLUMNS} gap="sm">
        <Kpi label="State" value={<ModelState model={model} />} />
        <Kpi label="Requests" value={formatNumber(activity?.requests ?? 0)} />
        <Kpi label="Success" value={successText(activity)} note={failuresText(activity)} />
        {model.kind === 'chat' && (
          <>
            <Kpi
              label="First token, median"
              value={p50 === null ? '–' : formatMs(p50)}
              note={p95 !== null && `p95 ${formatMs(p95)}`}
            />
            <Kpi
              label="Tokens per second"
              value={
                <Tip label={SPEED_ABOUT} multiline maw={280} forTouch>
                  <span>{speedText(activity)}</span>
                </Tip>
              }
            />
          </>
        )}
      </Grid>
      <Text size="xs" c="dimmed">
        For the requests of all users together. {model.kind === 'chat' && `${speedBasis(activity)} ${SPEED_ABOUT}`}
      </Text>
    </Stack>
  );
}

/** One model: its facts, features and prices, and how to call it. */
export function ModelPage() {
  const { _splat: id = '' } = useParams({ strict: false });
  const query = useQuery(modelsQuery);
  const model = query.data?.find((one) => one.id === id);
  return (
    <Page
      title={model?.displayName ?? 'Model'}
      description={model?.description}
      before={<BackLink to="/models">Models</BackLink>}
      actions={model?.callable && model.kind === 'chat' && <OpenInPlayground id={model.id} />}
    >
      <QueryStates query={query}>{() => (model ? <Details model={model} /> : <Unknown />)}</QueryStates>
    </Page>
  );
}

function Details({ model }: { model: ModelView }) {
  const { baseUrl } = useSession();
  const { price } = model;
  return (
    <Stack gap="lg">
      {model.reason !== null && <Obstacle reason={model.reason} />}
      <ModelFigures model={model} />
      <Grid cols={{ base: 1, md: 2 }} gap="lg" className={classes.sides}>
        <Card>
          <Title order={2} size="h2" mb="md">
            About
          </Title>
          <dl className={classes.details}>
            <Detail name="Model id">
              <Group gap={2} wrap="nowrap">
                <code className={classes.code}>{model.id}</code>
                <CopyButton value={model.id} what="model id" size={13} />
              </Group>
            </Detail>
            <Detail name="Owner">{model.ownedBy}</Detail>
            <Detail name="Tier">
              <Tier tier={model.tier} />
            </Detail>
            {model.aliases.length > 0 && <Detail name="Other names">{model.aliases.join(', ')}</Detail>}
            {model.kind === 'chat' ? <ChatSize model={model} /> : <EmbeddingSize model={model} />}
            <Detail name="Input">
              <Modalities ids={model.inputModalities} />
            </Detail>
            <Detail name="Output">
              <Modalities ids={model.outputModalities} />
            </Detail>
            {model.deprecated !== null && <Detail name="Ends">{endText(model)}</Detail>}
            <Detail name="Features">
              <Capabilities model={model} />
            </Detail>
          </dl>
        </Card>
        <Card>
          <Title order={2} size="h2" mb="md">
            Price per 1 million tokens
          </Title>
          <dl className={classes.prices}>
            <Price name="Input" text={priceText(model, price.inputUsdPerMTok)} />
            {model.kind === 'chat' && (
              <Price name="Cached input" text={priceText(model, price.cachedInputUsdPerMTok)} />
            )}
            {model.kind === 'chat' && <Price name="Output" text={priceText(model, price.outputUsdPerMTok)} />}
          </dl>
          <Stack gap="xs" mt="md">
            <PriceState model={model} />
            <PriceTerms model={model} />
            <PriceOptions model={model} size="sm" />
            <Text size="sm" c="dimmed">
              {priceNote(model)}
            </Text>
          </Stack>
        </Card>
      </Grid>
      <Card>
        <Title order={2} size="h2" mb="md">
          Call it
        </Title>
        {model.kind === 'chat' ? (
          <Suspense fallback={<Loading />}>
            <Snippets baseUrl={baseUrl} model={model.id} />
          </Suspense>
        ) : (
          <CodeBlock code={embeddingCommand(baseUrl, model.id)} label="curl snippet" />
        )}
      </Card>
      <UsageAndErrors whose={{ model: model.id }} />
    </Stack>
  );
}

function ChatSize({ model: { contextLength, maxOutputTokens } }: { model: ModelView }) {
  return (
    <>
      <Detail name="Context">{formatNumber(contextLength)} tokens</Detail>
      <Detail name="Maximum output">
        {maxOutputTokens === null ? 'Not known' : `${formatNumber(maxOutputTokens)} tokens`}
      </Detail>
    </>
  );
}

function EmbeddingSize({ model: { maxInputTokens, dimensions } }: { model: ModelView }) {
  return (
    <>
      <Detail name="Maximum input">{formatNumber(maxInputTokens ?? 0)} tokens</Detail>
      <Detail name="Dimensions">{formatNumber(dimensions ?? 0)}</Detail>
    </>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function endText({ deprecated, replacedBy }: ModelView): string {
  const day = formatDate(new Date(deprecated ?? 0), 'utc');
  return replacedBy === null ? day : `${day}. Use ${replacedBy} instead.`;
}

function priceNote({ simulated, kind }: ModelView): string {
  if (simulated) return 'The simulator answers for this model, at no cost.';
  if (kind === 'embedding') return 'Embeddings have no output tokens.';
  return 'Reasoning counts as output. Cached input is the part of the prompt that the provider had cached.';
}

function embeddingCommand(baseUrl: string, model: string): string {
  return `curl ${baseUrl}/embeddings \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ model, input: ['Hello!'] })}'
`;
}

function Price({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function Obstacle({ reason }: { reason: NonNullable<ModelView['reason']> }) {
  return (
    <Text size="sm" className={classes.obstacle}>
      {reason === 'plan'
        ? 'Your plan does not include this model. You see it because you are an administrator.'
        : 'No provider that serves this model has a credential, so nobody can call it. You see it because you are an administrator.'}{' '}
      <TextLink to={reason === 'plan' ? '/plans' : '/upstreams'} size="sm">
        {reason === 'plan' ? 'Plans' : 'Models & upstreams'}
      </TextLink>
    </Text>
  );
}

function OpenInPlayground({ id }: { id: string }) {
  return (
    <ButtonLink to="/playground" search={{ model: id }} leftSection={<MessagesSquare size={16} aria-hidden="true" />}>
      Open in Playground
    </ButtonLink>
  );
}

function Unknown() {
  return (
    <EmptyState
      icon={SearchX}
      title="Model not found"
      action={
        <ButtonLink to="/models" variant="default">
          All models
        </ButtonLink>
      }
    >
      It does not exist, or you cannot use it.
    </EmptyState>
  );
}
