import '@mantine/dates/styles.css';
import { Group, SegmentedControl, Select, Switch } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { CalendarRange } from 'lucide-react';
import { ScopeSwitch } from '../../kit/scope-switch';
import { PRESETS, type Preset, type RangeChoice, zoneName } from './range';
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

const GRANULARITY_LABELS: Record<Granularity, string> = { auto: 'Auto', hour: 'By hour', day: 'By day' };

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
      {range.preset === 'custom' && <DayRange range={range} change={change} />}
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
        w={112}
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

function DayRange({ range: { fromDay, toDay }, change }: { range: RangeChoice; change: UsageControls['change'] }) {
  return (
    <DatePickerInput
      type="range"
      aria-label="Days"
      placeholder="Pick two days"
      className={classes.days}
      valueFormat="D MMM YYYY"
      allowSingleDateInRange
      maxDate={new Date()}
      leftSection={<CalendarRange size={15} aria-hidden />}
      defaultValue={[fromDay, toDay]}
      onChange={([from, to]) => {
        if (from && to) change({ range: 'custom', from, to });
      }}
    />
  );
}

/** A custom range is the last 30 days until days are picked; those of one that is left are forgotten. */
function toRangeValues(preset: Preset) {
  return { range: preset === '7d' ? undefined : preset, from: undefined, to: undefined };
}
