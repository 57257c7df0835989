import { TextInput } from '@mantine/core';

interface WholeNumberFieldProps {
  label: string;
  placeholder: string;
  /** Null: none is given. */
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
}

/** A field that a browser has by itself; what is too large or too small becomes the bound when one leaves it. */
export function WholeNumberField({ value, onChange, min, max, ...labels }: WholeNumberFieldProps) {
  const bounded = (number: number) => Math.max(min ?? number, Math.min(max ?? number, number));
  return (
    <TextInput
      {...labels}
      type="number"
      inputMode="numeric"
      step={1}
      min={min}
      max={max}
      value={value ?? ''}
      onChange={({ currentTarget: { valueAsNumber: number } }) => onChange(Number.isInteger(number) ? number : null)}
      onBlur={() => value !== null && onChange(bounded(value))}
    />
  );
}
