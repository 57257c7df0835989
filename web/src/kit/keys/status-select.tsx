import { Select } from '../select';
import { STATUS_FILTERS, type StatusFilter } from './key-state';
import classes from './keys.module.css';

interface StatusSelectProps {
  value: StatusFilter;
  onChange: (status: StatusFilter) => void;
}

/** The filter of a list of keys by status. */
export function StatusSelect({ value, onChange }: StatusSelectProps) {
  return (
    <Select
      className={classes.filter}
      aria-label="Status"
      data={STATUS_FILTERS}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}
