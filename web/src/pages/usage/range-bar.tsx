import { Group, SegmentedControl, Select, Skeleton, Switch } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ScopeSwitch } from '../../kit/scope-switch';
import { PRESETS, type Preset, zoneName } from './range';
import classes from './usage.module.css';
import { GRANULARITIES, type Granularity, type UsageControls } from './use-usage-search';

const PRESET_LABELS: Record<Preset, string> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  custom: 'Custom',
};

const PRESET_OPTIONS = PRESETS.map((value) => ({ value, label: PRESET_LABELS[value] }));

const GRANULARITY_LABELS: Record<Granularity, string> = {
  auto: 'Steps: auto',
  hour: 'Steps: hours',
  day: 'Steps: days',
};

/** A calendar is much code for the few who want one. */
const DayRange = lazy(() => import('./day-range').then((module) => ({ default: module.DayRange })));

/** Which time the page is about, and by whose clock. */
export function RangeBar({ search, change }: UsageControls) {
  const { range, granularity, compare } = search;
  return (
    <Group gap="sm" className={classes.bar}>
      <SegmentedControl
        aria-label="Range"
        visibleFrom="xs"
        value={range.preset}
        onChange={(preset) => change(toRangeValues(preset))}
        data={PRESET_OPTIONS}
      />
      <Select
        aria-label="Range"
        hiddenFrom="xs"
        w="100%"
        allowDeselect={false}
        value={range.preset}
        onChange={(preset) => preset && change(toRangeValues(preset))}
        data={PRESET_OPTIONS}
      />
      {range.preset === 'custom' && (
        <Suspense fallback={<Skeleton h={36} w={240} />}>
          <DayRange range={range} change={change} />
        </Suspense>
      )}
      <SegmentedControl
        aria-label="Time zone"
        value={range.zone}
        onChange={(zone) => change({ zone: zone === 'utc' ? zone : undefined })}
        data={[
          { value: 'local', label: <span title={zoneName('local')}>Local time</span> },
          { value: 'utc', label: 'UTC' },
        ]}
      />
      <Select
        aria-label="Steps of the chart"
        w={144}
        allowDeselect={false}
        value={granularity}
        onChange={(step) => change({ step: step === 'auto' || step === null ? undefined : step })}
        data={GRANULARITIES.map((value) => ({ value, label: GRANULARITY_LABELS[value] }))}
      />
      <ScopeSwitch what="requests" />
      <Switch
        label="Compare"
        checked={compare}
        onChange={(event) => change({ compare: event.currentTarget.checked ? undefined : 'off' })}
      />
    </Group>
  );
}

/** A custom range is the last 30 days until days are picked; those of one that is left are forgotten. */
function toRangeValues(preset: Preset) {
  return { range: preset === '7d' ? undefined : preset, from: undefined, to: undefined };
}
