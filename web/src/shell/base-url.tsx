import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useSession } from '../api/session';
import { useCopy } from '../kit/use-copy';
import classes from './base-url.module.css';

/** What a client is pointed at, a click away from the clipboard on every page. */
export function BaseUrl() {
  const { baseUrl } = useSession();
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Tooltip label={copied ? 'Copied' : 'Copy the base URL'}>
      <UnstyledButton className={classes.chip} onClick={() => copy(baseUrl)}>
        <VisuallyHidden>Copy</VisuallyHidden>
        <span className={classes.label}>Base URL</span>
        <code className={classes.url}>{baseUrl}</code>
        <Icon size={14} aria-hidden="true" className={classes.icon} />
      </UnstyledButton>
    </Tooltip>
  );
}
