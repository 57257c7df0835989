import { Group, Select, TextInput } from '@mantine/core';
import { formatDate } from '../times';
import { dayFromNow, expiryChoices, expiryOf, type KeyPolicy } from './expiry';

interface ExpiryFieldProps {
  policy: KeyPolicy;
  /** The current expiry; adds the choice "keep". */
  current?: string | null;
  choice: string;
  day: string;
  error?: React.ReactNode;
  onChoice: (choice: string) => void;
  onDay: (day: string) => void;
}

/** When a key expires: after some days, on a day, or never, within the policy. */
export function ExpiryField({ policy, current, choice, day, error, onChoice, onDay }: ExpiryFieldProps) {
  const keep = current !== undefined ? [{ value: 'keep', label: `Unchanged: ${currentText(current)}` }] : [];
  const isCustom = choice === 'custom';
  const { maxLifetimeDays: max } = policy;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap" grow={isCustom}>
      <Select
        flex={1}
        label="Expires"
        data={[...keep, ...expiryChoices(policy)]}
        value={choice}
        allowDeselect={false}
        onChange={(value) => value && onChoice(value)}
        description={isCustom ? undefined : descriptionOf(choice)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={isCustom ? undefined : error}
      />
      {isCustom && (
        <TextInput
          type="date"
          label="Last day"
          value={day}
          min={dayFromNow(0)}
          max={max === null ? undefined : dayFromNow(max)}
          onChange={(event) => onDay(event.currentTarget.value)}
          error={error}
          required
        />
      )}
    </Group>
  );
}

function currentText(expiresAt: string | null): string {
  return expiresAt === null ? 'never' : formatDate(new Date(expiresAt));
}

function descriptionOf(choice: string): string | undefined {
  if (choice === 'keep') return undefined;
  if (choice === 'never') return 'Use a key without an expiry only for services that you cannot update regularly.';
  const expiry = expiryOf(choice, '');
  return expiry ? `On ${formatDate(expiry)}` : undefined;
}
