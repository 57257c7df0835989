import { Group } from '@mantine/core';
import { RangeDays, RangePresets } from '../../kit/range-choice';
import { ScopeSwitch } from '../../kit/scope-switch';
import { ChosenFilters } from './chosen-filters';
import { FilterMenu } from './filter-menu';
import classes from './usage.module.css';
import type { UsageControls } from './use-usage-search';
import { ViewMenu } from './view-menu';

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
        <RangePresets range={range} change={change} />
        <ScopeSwitch what="requests" />
        <Group gap={6} wrap="nowrap" ml="auto">
          <FilterMenu {...controls} />
          <ViewMenu search={search} change={change} comparedWith={comparedWith} />
        </Group>
      </Group>
      <RangeDays range={range} change={change} />
      <ChosenFilters {...controls} />
    </div>
  );
}
