import { PasswordInput, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useId, useState } from 'react';
import { clearPageOwner } from '../api/page-owner';
import { readTab, writeTab } from './url-state';

/** Opens the console after a sign-in and removes all data of the previous person. */
export function useEntry(): (to?: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    (to = '/') => {
      clearPageOwner();
      queries.clear();
      return navigate({ href: to, replace: true });
    },
    [queries, navigate],
  );
}

/**
 * The token of a one-time link. It is after the `#`, where no proxy logs it, and is removed from the address bar
 * immediately. The tab remembers it, so that a reload shows the same page.
 */
export function useAddressToken(): string {
  const [token, setToken] = useState(() => tokenInAddress() || (readTab(nameInTab()) ?? ''));
  useEffect(() => {
    const take = () => {
      const found = tokenInAddress();
      if (found === '') return;
      setToken(found);
      writeTab(nameInTab(), found);
      window.history.replaceState(window.history.state, '', window.location.pathname);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return token;
}

function tokenInAddress(): string {
  return window.location.hash.slice(1);
}

/** Forgets the token after its use. */
export function forgetAddressToken(): void {
  writeTab(nameInTab(), null);
}

function nameInTab(): string {
  return `token-of-${window.location.pathname}`;
}

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
