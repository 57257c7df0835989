import { SimpleGrid, TextInput, type TextInputProps } from '@mantine/core';
import { isBudget, LIMIT_LABELS, type LimitName } from './limits';

type FieldProps = Omit<TextInputProps, 'name'>;

interface LimitFieldsProps {
  names: readonly LimitName[];
  /** Props of a value's field from the form. */
  inputProps: (name: LimitName) => FieldProps;
}

/** A field for each limit and budget; empty means no limit. */
export function LimitFields({ names, inputProps }: LimitFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      {names.map((name) => (
        <LimitField key={name} name={name} label={LIMIT_LABELS[name]} {...inputProps(name)} />
      ))}
    </SimpleGrid>
  );
}

export function LimitField({ name, ...props }: FieldProps & { name: LimitName }) {
  return (
    <TextInput
      placeholder="No limit"
      inputMode={isBudget(name) ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={20}
      {...(isBudget(name) && { leftSection: '$' })}
      {...props}
    />
  );
}
