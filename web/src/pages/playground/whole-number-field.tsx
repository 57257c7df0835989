import { TextInput } from '@mantine/core';

interface WholeNumberFieldProps {
  label: string;
  placeholder: string;
  /** Null for an empty field. */
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
}

/** The browser's own number field; values out of range become the bound on blur. */
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
