import Check from 'icon:check';
import Copy from 'icon:copy';
import { ActionIcon, Button, type ButtonProps, Code, Group, Text } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Tip } from './on-demand';

let region: HTMLElement | undefined;

/** Makes screen readers say a short text after the current one. */
function announce(text: string): void {
  region ??= createRegion();
  const target = region;
  target.textContent = '';
  window.setTimeout(() => {
    target.textContent = text;
  }, 50);
}

function createRegion(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', 'status');
  element.setAttribute('aria-live', 'polite');
  Object.assign(element.style, {
    position: 'fixed',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
  });
  document.body.append(element);
  return element;
}

/**
 * Copies text to the clipboard; over plain HTTP, where the API is missing, by selecting it. False if that is refused.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext && navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused by the browser's settings: the older method may still work.
  }
  return copySelected(text);
}

/** The field is placed next to the focus, because a dialog's focus trap would remove the selection elsewhere. */
function copySelected(text: string): boolean {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}

const SHOWN_MS = 1800;

/** Copies text and shows the success for a moment, also to screen readers. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    const done = await copyText(text);
    announce(done ? 'Copied' : 'Could not copy. Select the text and copy it by hand.');
    setCopied(done);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return done;
  }, []);
  return { copied, copy };
}

interface CopyButtonProps {
  /** The text to copy. */
  value: string;
  /** Names the text for the tooltip and screen readers: "request id". */
  what: string;
  size?: number;
  onCopied?: () => void;
}

/** A small button beside a value. */
export function CopyButton({ value, what, size = 15, onCopied }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Tip label={copied ? 'Copied' : `Copy ${what}`}>
      <ActionIcon
        aria-label={`Copy ${what}`}
        color={copied ? 'teal' : 'gray'}
        onClick={async (event) => {
          event.stopPropagation();
          if (await copy(value)) onCopied?.();
        }}
      >
        <Icon size={size} aria-hidden="true" />
      </ActionIcon>
    </Tip>
  );
}

interface CopyTextButtonProps extends ButtonProps {
  value: string;
  label?: string;
  autoFocus?: boolean;
  onCopied?: () => void;
}

/** The same as a button with text, where copying is the main action. */
export function CopyTextButton({ value, label = 'Copy', onCopied, autoFocus, ...button }: CopyTextButtonProps) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Button
      {...button}
      data-autofocus={autoFocus || undefined}
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={async () => {
        if (await copy(value)) onCopied?.();
      }}
    >
      {copied ? 'Copied' : label}
    </Button>
  );
}

/** The id with which a request can be found in the log. */
export function RequestId({ id }: { id: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed">
        Request
      </Text>
      <Code fz="xs">{id}</Code>
      <CopyButton value={id} what="request id" size={13} />
    </Group>
  );
}
