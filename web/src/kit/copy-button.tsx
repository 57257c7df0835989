import Check from 'icon:check';
import Copy from 'icon:copy';
import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import { Tip } from './tip';
import { useCopy } from './use-copy';

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
