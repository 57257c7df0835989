import { PasswordInput, Progress, Text } from '@mantine/core';
import { useId } from 'react';

export const MIN_PASSWORD_LENGTH = 12;

interface NewPasswordFieldProps {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | null;
  autoFocus?: boolean;
}

/** A new password. The hint is about length, because length makes a password strong. */
export function NewPasswordField({ label = 'Password', value, onChange, error, autoFocus }: NewPasswordFieldProps) {
  const hintId = useId();
  const { percent, color, text } = strengthOf(value.length);
  return (
    <div>
      <PasswordInput
        label={label}
        name="new-password"
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={1024}
        required
        withAsterisk={false}
        autoFocus={autoFocus}
        error={error}
        aria-describedby={hintId}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Progress value={percent} color={color} size={3} mt={8} aria-hidden="true" transitionDuration={150} />
      <Text id={hintId} size="xs" c="dimmed" mt={6} aria-live="polite">
        {text}
      </Text>
    </div>
  );
}

function strengthOf(length: number): { percent: number; color: string; text: string } {
  const missing = MIN_PASSWORD_LENGTH - length;
  const percent = Math.min(100, (length / 24) * 100);
  if (length === 0) return { percent, color: 'gray', text: 'At least 12 characters. A few random words work well.' };
  if (missing > 0)
    return { percent, color: 'red', text: `${missing} more ${missing === 1 ? 'character' : 'characters'}.` };
  if (length < 16) return { percent, color: 'yellow', text: 'Long enough. A longer password is stronger.' };
  return { percent, color: 'teal', text: length < 24 ? 'Strong.' : 'Very strong.' };
}
