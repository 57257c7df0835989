import { Group, SegmentedControl, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ScopeSwitch } from '../../kit/scope-switch';
import { Select } from '../../kit/select';
import { ChosenFilters } from './chosen-filters';
import { FilterMenu } from './filter-menu';
import { PRESETS, type Preset } from './range';
import classes from './usage.module.css';
import type { UsageControls } from './use-usage-search';
import { ViewMenu } from './view-menu';

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

interface ControlBarProps extends UsageControls {
  /** The period that the numbers are compared with, in words. */
  comparedWith: string;
}

/** One row: time, scope, filters and view. */
export function ControlBar({ comparedWith, ...controls }: ControlBarProps) {
  const { search, change } = controls;
  const { range } = search;
  return (
    <div className={classes.controls}>
      <Group gap={6} wrap="nowrap">
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
        <ScopeSwitch what="requests" />
        <Group gap={6} wrap="nowrap" ml="auto">
          <FilterMenu {...controls} />
          <ViewMenu search={search} change={change} comparedWith={comparedWith} />
        </Group>
      </Group>
      {range.preset === 'custom' && (
        <Suspense fallback={<Skeleton h={36} w={240} />}>
          <DayRange range={range} change={change} />
        </Suspense>
      )}
      <ChosenFilters {...controls} />
    </div>
  );
}

/** A custom range is the last 30 days until days are chosen; leaving it forgets them. */
function toRangeValues(preset: Preset) {
  return { range: preset === '7d' ? undefined : preset, from: undefined, to: undefined };
}
