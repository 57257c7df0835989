import '@mantine/dates/styles.layer.css';
import CalendarRange from 'icon:calendar-range';
import { DatePickerInput } from '@mantine/dates';
import classes from './kit.module.css';
import type { RangeChoice } from './range';
import type { SearchParams } from './search-params';

/** Two days, both included. */
export function DayRange({
  range: { fromDay, toDay },
  change,
}: {
  range: RangeChoice;
  change: (values: SearchParams) => void;
}) {
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
