import Check from 'icon:check';
import ChevronDown from 'icon:chevron-down';
import Copy from 'icon:copy';
import { ActionIcon, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useSession } from '../api/session';
import { DropMenu } from '../kit/drop-menu';
import { Tip } from '../kit/tip';
import { useCopy } from '../kit/use-copy';
import classes from './base-url.module.css';

/** The base URL for clients, one click from the clipboard on every page, with that for apps that list models. */
export function BaseUrl() {
  const { baseUrl, listBaseUrl } = useSession();
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <>
      <Tip label={copied ? 'Copied' : 'Copy the base URL'}>
        <UnstyledButton className={classes.chip} onClick={() => copy(baseUrl)}>
          <VisuallyHidden>Copy</VisuallyHidden>
          <span className={classes.label}>Base URL</span>
          <code className={classes.url}>{baseUrl}</code>
          <Icon size={14} aria-hidden="true" className={classes.icon} />
        </UnstyledButton>
      </Tip>
      <DropMenu
        position="bottom-start"
        target={
          <ActionIcon aria-label="Another base URL">
            <ChevronDown size={14} aria-hidden="true" />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <Menu.Item leftSection={<Copy size={15} aria-hidden="true" />} onClick={() => copy(listBaseUrl)}>
            <Text size="xs" c="dimmed">
              For apps that list models
            </Text>
            <code className={classes.url}>{listBaseUrl}</code>
          </Menu.Item>
        )}
      </DropMenu>
    </>
  );
}
