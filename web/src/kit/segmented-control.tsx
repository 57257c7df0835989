import { Box, type BoxProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './kit.module.css';

interface SegmentedControlProps<V extends string> extends BoxProps {
  value?: V;
  onChange?: (value: V) => void;
  data: readonly { readonly value: V; readonly label: ReactNode }[];
  size?: 'xs' | 'sm';
  fullWidth?: boolean;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

/** A choice among few values that are all visible. Mantine's measures them and moves a marker: 3 kB of script. */
export function SegmentedControl<V extends string = string>({
  value,
  onChange,
  data,
  size = 'sm',
  fullWidth,
  className = '',
  ...box
}: SegmentedControlProps<V>) {
  const name = useId();
  return (
    <Box
      {...box}
      role="radiogroup"
      className={`${classes.segments} ${className}`}
      data-size={size}
      data-wide={fullWidth || undefined}
    >
      {data.map((one) => (
        <label key={one.value}>
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            onChange={() => onChange?.(one.value)}
          />
          <span>{one.label}</span>
        </label>
      ))}
    </Box>
  );
}
