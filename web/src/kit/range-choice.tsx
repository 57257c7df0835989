import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import classes from './kit.module.css';
import { PRESETS, type Preset, type RangeChoice } from './range';
import type { SearchParams } from './search-params';
import { SegmentedControl } from './segmented-control';
import { Select } from './select';

const PRESET_LABELS: Record<Preset, string> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  custom: 'Custom',
};

const PRESET_OPTIONS = PRESETS.map((value) => ({ value, label: PRESET_LABELS[value] }));

/** The calendar's code is large and rarely used, so it is loaded on demand. */
const DayRange = lazy(() => import('./day-range').then((module) => ({ default: module.DayRange })));

interface RangeProps {
  range: RangeChoice;
  /** Sets values in the address. */
  change: (values: SearchParams) => void;
}

/** The range of a page; on a small screen a list. */
export function RangePresets({ range, change }: RangeProps) {
  return (
    <>
      <SegmentedControl
        aria-label="Range"
        visibleFrom="md"
        value={range.preset}
        onChange={(preset) => change(toRangeValues(preset))}
        data={PRESET_OPTIONS}
      />
      <Select
        aria-label="Range"
        hiddenFrom="md"
        className={classes.range}
        allowDeselect={false}
        value={range.preset}
        onChange={(preset) => preset && change(toRangeValues(preset))}
        data={PRESET_OPTIONS}
      />
    </>
  );
}

/** The days of a custom range. */
export function RangeDays({ range, change }: RangeProps) {
  if (range.preset !== 'custom') return null;
  return (
    <Suspense fallback={<Skeleton h={36} w={240} />}>
      <DayRange range={range} change={change} />
    </Suspense>
  );
}

/** A custom range is the last 30 days until days are chosen; leaving it forgets them. */
function toRangeValues(preset: Preset): SearchParams {
  return { range: preset === '7d' ? undefined : preset, from: undefined, to: undefined };
}
