import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { isBudget, LIMIT_LABELS, type LimitName, NO_LIMIT } from './limits';
import { Grid } from './page';

interface FormField extends Omit<TextInputProps, 'name' | 'value' | 'onChange'> {
  value?: string;
  onChange: (text: string) => void;
}

interface LimitFieldsProps {
  names: readonly LimitName[];
  /** Props of a value's field from the form. */
  inputProps: (name: LimitName) => FormField;
  /** The text for what applies while a field is empty. Null or missing: no limit applies. */
  inherited?: (name: LimitName) => string | null;
}

/** A field for each limit and budget. An empty field means the inherited value, or no limit if there is none. */
export function LimitFields({ names, inputProps, inherited }: LimitFieldsProps) {
  return (
    <Grid cols={{ base: 1, xs: 2 }} gap="sm">
      {names.map((name) => (
        <LimitField key={name} name={name} inherited={inherited?.(name) ?? null} {...inputProps(name)} />
      ))}
    </Grid>
  );
}

interface LimitFieldProps extends FormField {
  name: LimitName;
  inherited: string | null;
}

function LimitField({ name, inherited, value = '', onChange, ...props }: LimitFieldProps) {
  const isUnlimited = value === NO_LIMIT;
  return (
    <TextInput
      label={LIMIT_LABELS[name]}
      placeholder={isUnlimited || inherited === null ? 'No limit' : inherited}
      inputMode={isBudget(name) ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={20}
      {...(isBudget(name) && { leftSection: '$' })}
      {...(inherited !== null && {
        rightSection: <Unlimited name={name} isOn={isUnlimited} onChange={onChange} />,
        rightSectionWidth: 80,
      })}
      value={isUnlimited ? '' : value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}

interface UnlimitedProps {
  name: LimitName;
  isOn: boolean;
  onChange: (text: string) => void;
}

/** Switches between no limit and the inherited value. */
function Unlimited({ name, isOn, onChange }: UnlimitedProps) {
  return (
    <Button
      size="compact-sm"
      fz="xs"
      variant={isOn ? 'filled' : 'light'}
      color={isOn ? undefined : 'gray'}
      aria-pressed={isOn}
      aria-label={`No limit: ${LIMIT_LABELS[name]}`}
      onClick={() => onChange(isOn ? '' : NO_LIMIT)}
    >
      No limit
    </Button>
  );
}
