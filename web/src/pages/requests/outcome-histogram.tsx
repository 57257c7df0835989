import { Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { toTimePoints } from '../../charts/axis';
import { formatNumber } from '../../kit/numbers';
import { isGrowing, zoneName } from '../../kit/range';
import classes from './requests.module.css';
import { type Histogram, histogramQuery } from './requests-queries';
import type { RequestsControls } from './use-requests-search';

type Bar = Histogram['bars'][number];
type Outcome = 'succeeded' | 'failed' | 'refused' | 'others';

const OUTCOMES: readonly [Outcome, string][] = [
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['refused', 'refused'],
  ['others', 'running or aborted'],
];

/** The requests over time by outcome. A click on a bar, or a drag over several, shows the requests of that span. */
export function OutcomeHistogram({ search, change }: Pick<RequestsControls, 'search' | 'change'>) {
  const { data } = useQuery(histogramQuery(search, isGrowing(search.range, new Date())));
  if (!data) return <Skeleton h={104} radius="md" />;
  const select = (first: number, last: number) => {
    const until = data.bars[last + 1]?.start ?? data.to;
    change({ since: data.bars[first]?.start, until });
  };
  return (
    <div>
      <Totals data={data} />
      <Bars data={data} search={search} onSelect={select} />
    </div>
  );
}

function Totals({ data: { bars, newest } }: { data: Histogram }) {
  return (
    <Group gap="md" mb={6} className={classes.totals}>
      {OUTCOMES.map(([outcome, word]) => {
        const sum = bars.reduce((total, bar) => total + bar[outcome], 0);
        if (outcome === 'others' && sum === 0) return null;
        return (
          <Group key={outcome} gap={6} wrap="nowrap">
            <span className={classes.mark} data-outcome={outcome} aria-hidden />
            <Text size="sm" component="span">
              {formatNumber(sum)} {word}
            </Text>
          </Group>
        );
      })}
      {newest !== null && (
        <Text size="sm" c="dimmed" component="span">
          of the newest {formatNumber(newest)}
        </Text>
      )}
    </Group>
  );
}

interface BarsProps extends Pick<RequestsControls, 'search'> {
  data: Histogram;
  onSelect: (first: number, last: number) => void;
}

function Bars({ data, search: { range, span }, onSelect }: BarsProps) {
  const { bars, step } = data;
  const group = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<[number, number] | null>(null);
  const [focused, setFocused] = useState(bars.length - 1);
  const points = useMemo(
    () =>
      toTimePoints(
        bars.map(({ start }) => start),
        step,
        zoneName(range.zone),
      ),
    [bars, step, range.zone],
  );
  const highest = Math.max(1, ...bars.map(heightOf));
  const isIn = (index: number) => {
    if (drag) return index >= Math.min(...drag) && index <= Math.max(...drag);
    const start = new Date(bars[index]?.start ?? 0);
    return span !== null && start >= span.from && start < span.to;
  };
  const end = () => {
    if (drag) onSelect(Math.min(...drag), Math.max(...drag));
    setDrag(null);
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(bars.length - 1, to));
    setFocused(next);
    group.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own
    <div
      ref={group}
      className={classes.bars}
      role="group"
      aria-label={`Requests by ${step}. Select a time to see only its requests.`}
      data-selects={span !== null || drag !== null || undefined}
      onPointerLeave={() => setDrag(null)}
      onPointerUp={end}
    >
      {bars.map((bar, index) => (
        <UnstyledButton
          key={bar.start}
          className={classes.bar}
          tabIndex={index === Math.min(focused, bars.length - 1) ? 0 : -1}
          aria-label={`${points[index]?.title}: ${wordsOf(bar)}`}
          title={`${points[index]?.title}\n${wordsOf(bar)}`}
          aria-pressed={span !== null && isIn(index)}
          data-in={isIn(index) || undefined}
          onPointerDown={(event) => {
            event.currentTarget.releasePointerCapture(event.pointerId);
            setDrag([index, index]);
          }}
          onPointerEnter={() => drag && setDrag([drag[0], index])}
          onClick={(event) => event.detail === 0 && onSelect(index, index)}
          onFocus={() => setFocused(index)}
          onKeyDown={({ key }) => {
            if (key === 'ArrowLeft') move(index - 1);
            if (key === 'ArrowRight') move(index + 1);
          }}
        >
          {OUTCOMES.map(([outcome]) => (
            <span
              key={outcome}
              className={classes.part}
              data-outcome={outcome}
              style={{ height: `${(100 * bar[outcome]) / highest}%` }}
            />
          ))}
        </UnstyledButton>
      ))}
      <span className={classes.first} aria-hidden>
        {points[0]?.tick}
      </span>
      <span className={classes.last} aria-hidden>
        {points.at(-1)?.tick}
      </span>
    </div>
  );
}

function heightOf({ succeeded, failed, refused, others }: Bar): number {
  return succeeded + failed + refused + others;
}

function wordsOf(bar: Bar): string {
  const reported = OUTCOMES.filter(([outcome]) => bar[outcome] > 0).map(
    ([outcome, word]) => `${formatNumber(bar[outcome])} ${word}`,
  );
  return reported.join(', ') || 'no requests';
}
