import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ModelView } from '../../api/lists';
import { CopyButton } from '../../kit/copy-button';
import { formatNumber } from '../../kit/numbers';
import { Quantity } from '../../kit/quantity';
import { Capabilities, ModelState, PriceOptions, PriceState, Tier } from './model-badges';
import classes from './models.module.css';
import { priceText } from './price-options';

export function ModelCard({ model }: { model: ModelView }) {
  const { inputUsdPerMTok, outputUsdPerMTok } = model.price;
  return (
    <Card component="article" className={classes.card} data-off={!model.callable || undefined} padding="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Stack gap={0} miw={0}>
          <Title order={2} size="h3" className={classes.name}>
            <Link to="/models/$" params={{ _splat: model.id }} className={classes.cover}>
              {model.displayName}
            </Link>
          </Title>
          <Text size="xs" c="dimmed">
            {model.ownedBy}
          </Text>
        </Stack>
        <Tier tier={model.tier} />
      </Group>
      <Group gap={2} wrap="nowrap" className={classes.id}>
        <code>{model.id}</code>
        <CopyButton value={model.id} what="model id" size={13} />
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} className={classes.about}>
        {model.description}
      </Text>
      <Capabilities model={model} />
      <dl className={classes.facts}>
        {model.dimensions === null ? (
          <Fact name="Context" value={<Quantity value={model.contextLength} />} />
        ) : (
          <Fact name="Maximum input" value={<Quantity value={model.maxInputTokens ?? 0} />} />
        )}
        <Fact name="Input / 1M" value={priceText(model, inputUsdPerMTok)} />
        {model.dimensions === null ? (
          <Fact name="Output / 1M" value={priceText(model, outputUsdPerMTok)} />
        ) : (
          <Fact name="Dimensions" value={formatNumber(model.dimensions)} />
        )}
      </dl>
      <PriceOptions model={model} />
      <Group gap="sm">
        <ModelState model={model} />
        <PriceState model={model} />
      </Group>
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
