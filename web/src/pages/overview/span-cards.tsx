import { Group, SimpleGrid, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { errorRateOf } from '../../kit/error-rate';
import { Kpi } from '../../kit/kpi';
import { TextLink } from '../../kit/links';
import { Money } from '../../kit/money';
import { changeOf, formatPercent } from '../../kit/numbers';
import { Quantity } from '../../kit/quantity';
import { RefusedNote } from '../../kit/refused-note';
import { UnpricedNote } from '../../kit/unpriced-note';
import type { Scope } from '../../kit/use-scope';
import type { OverviewSpan } from './overview-queries';

interface SpanCardsProps {
  title: string;
  span: OverviewSpan;
  comparedWith: string;
  /** The usage page's name of the same range. */
  range: string;
  scope: Scope;
  /** Another link beside the one to the details. */
  link?: ReactNode;
}

/** The numbers of a day or month so far, with their trend and the comparison with the previous one. */
export function SpanCards({ title, span, comparedWith, range, scope, link }: SpanCardsProps) {
  const heading = useId();
  const { totals, previous, points } = span;
  const rate = errorRateOf(totals);
  const against = (now: number | null, before: number | null) => {
    const delta = previous.requests === 0 ? null : changeOf(now, before);
    return delta === null ? { note: 'nothing to compare with yet' } : { delta, comparedWith };
  };
  return (
    <section aria-labelledby={heading}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h2" id={heading}>
          {title}
        </Title>
        <Group gap="md">
          {link}
          <TextLink to="/usage" search={{ range, scope }} size="sm" aria-label={`Details of ${title.toLowerCase()}`}>
            Details
          </TextLink>
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', xs: 'md' }}>
        <Kpi
          label="Requests"
          value={<Quantity value={totals.requests} />}
          trend={points.map(({ requests }) => requests)}
          {...against(totals.requests, previous.requests)}
        />
        <Kpi
          label="Tokens"
          value={<Quantity value={totals.tokens} />}
          trend={points.map(({ tokens }) => tokens)}
          {...against(totals.tokens, previous.tokens)}
        />
        <Kpi
          label="Cost"
          value={<Money usd={totals.costUsd} />}
          trend={points.map(({ costUsd }) => costUsd)}
          {...against(totals.costUsd, previous.costUsd)}
        />
        <Kpi
          label="Error rate"
          value={rate === null ? '–' : formatPercent(rate)}
          more="bad"
          trend={points.map((point) => errorRateOf(point) ?? 0)}
          {...against(rate, errorRateOf(previous))}
        />
      </SimpleGrid>
      <RefusedNote refused={totals.refused} search={{ range, scope }} />
      <UnpricedNote calls={span.unpricedCalls} />
    </section>
  );
}
