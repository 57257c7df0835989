import ArrowLeftRight from 'icon:arrow-left-right';
import History from 'icon:rotate-ccw-clock';
import { Button, CloseButton, Drawer, Stack, Switch, Tabs, Text, Title, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../kit/code-block';
import { RelativeTime } from '../../kit/figures';
import { SegmentedControl } from '../../kit/segmented-control';
import { EmptyState } from '../../kit/states';
import { Table } from '../../kit/table';
import { REQUEST_SNIPPETS } from '../../snippets/request-snippets';
import { SNIPPET_APIS } from '../../snippets/snippet-api';
import { CHAT_PATH, withShortImages } from './chat-request';
import type { ChatRequest, Exchange } from './chat-settings';
import { readHistory, type StoredConversation, writeHistory } from './history';
import { requestFor } from './other-apis';
import classes from './playground.module.css';
import { SettingsPanel, type SettingsPanelProps } from './settings-panel';

interface CodeDrawerProps {
  onClose: () => void;
  request: ChatRequest;
}

/** The program that sends the form's request. */
export function CodeDrawer({ onClose, request }: CodeDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title="Code" size="lg">
      <Code request={request} />
    </Drawer>
  );
}

function Code({ request }: { request: ChatRequest }) {
  const { baseUrl } = useSession();
  const [id, setId] = useState<string>('chat');
  const api = SNIPPET_APIS.find((one) => one.id === id) ?? SNIPPET_APIS[0];
  if (!api) return null;
  const whole = requestFor(api.id, request);
  const shown = requestFor(api.id, withShortImages(request));
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        The next request that this form will send. Set the environment variable {api.keyVariable} to your own API key.
        {hasImages(request) && ' Images are shortened here. Copy includes them in full.'}
      </Text>
      <SegmentedControl
        fullWidth
        mb="sm"
        aria-label="API"
        value={id}
        onChange={setId}
        data={SNIPPET_APIS.map(({ id: value, name: label }) => ({ value, label }))}
      />
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm" aria-label="Language">
          {REQUEST_SNIPPETS.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {REQUEST_SNIPPETS.map(({ id, name, toCode }) => (
          <Tabs.Panel key={id} value={id}>
            <CodeBlock
              code={toCode(baseUrl, shown, undefined, api)}
              whole={toCode(baseUrl, whole, undefined, api)}
              label={`${name} program`}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function hasImages({ messages }: ChatRequest): boolean {
  return messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'image_url'));
}

/** The last request and its answer, as sent and received. */
export function RawView({ exchange }: { exchange: Exchange | null }) {
  if (!exchange) {
    return (
      <EmptyState icon={ArrowLeftRight} title="Nothing sent yet">
        After the first message you see the request, the answer and their headers here.
      </EmptyState>
    );
  }
  const { requestHeaders, request, status, responseHeaders, responseBody } = exchange;
  return (
    <Stack gap="lg" className={classes.raw}>
      <Message
        title="Request"
        line={`POST ${CHAT_PATH}`}
        headers={requestHeaders}
        body={toText(withShortImages(request))}
        whole={toText(request)}
      />
      <Message
        title="Answer"
        line={status === null ? 'Waiting for the response headers…' : `HTTP ${status}`}
        headers={responseHeaders}
        body={responseBody}
      />
    </Stack>
  );
}

interface MessageProps {
  title: string;
  line: string;
  headers: Exchange['requestHeaders'];
  body: string;
  /** The text to copy, if the shown body is shortened. */
  whole?: string;
}

function toText(request: ChatRequest): string {
  return JSON.stringify(request, null, 2);
}

function Message({ title, line, headers, body, whole }: MessageProps) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Text ff="monospace" size="xs" mb="xs">
        {line}
      </Text>
      {headers.length > 0 && (
        <div className={classes.headers}>
          <Table withRowBorders={false} verticalSpacing={2} className={classes.headers}>
            <Table.Tbody>
              {headers.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {body !== '' && <CodeBlock code={body} whole={whole} label={`${title.toLowerCase()} body`} maxHeight={420} />}
    </section>
  );
}

interface HistoryDrawerProps {
  userId: string;
  onClose: () => void;
  onOpen: (conversation: StoredConversation) => void;
}

/** Earlier conversations, if the person keeps them in this browser. */
export function HistoryDrawer({ onClose, ...props }: HistoryDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title="History" size="md">
      <Conversations {...props} />
    </Drawer>
  );
}

function Conversations({ userId, onOpen }: Pick<HistoryDrawerProps, 'userId' | 'onOpen'>) {
  const [known, setKnown] = useState(() => readHistory(userId));
  const change = (conversations: readonly StoredConversation[] | null) => {
    writeHistory(userId, conversations);
    setKnown(conversations);
  };
  return (
    <Stack gap="md">
      <Switch
        label="Keep conversations in this browser"
        description="They stay on this computer and are never sent anywhere. Images are not kept. Turning this off deletes them."
        checked={known !== null}
        onChange={(event) => change(event.currentTarget.checked ? [] : null)}
      />
      {known?.length === 0 && (
        <EmptyState icon={History} title="No conversations yet">
          Conversations are kept here after their first answer.
        </EmptyState>
      )}
      {known && known.length > 0 && (
        <>
          <ul className={classes.kept}>
            {known.map((conversation) => (
              <li key={conversation.id}>
                <UnstyledButton className={classes.keptOpen} onClick={() => onOpen(conversation)}>
                  <Text size="sm" fw={500} lineClamp={2}>
                    {conversation.title}
                  </Text>
                  <Text size="xs" c="dimmed" component="span">
                    {conversation.settings.model} · <RelativeTime value={conversation.savedAt} />
                  </Text>
                </UnstyledButton>
                <CloseButton
                  aria-label={`Delete ${conversation.title}`}
                  onClick={() => change(known.filter(({ id }) => id !== conversation.id))}
                />
              </li>
            ))}
          </ul>
          <Button variant="default" onClick={() => change([])}>
            Delete all
          </Button>
        </>
      )}
    </Stack>
  );
}

interface SettingsDrawerProps extends SettingsPanelProps {
  opened: boolean;
  onClose: () => void;
}

/** The settings on screens that are too narrow to show them beside the conversation. */
export function SettingsDrawer({ opened, onClose, ...settings }: SettingsDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Settings" hiddenFrom="md">
      <SettingsPanel {...settings} />
    </Drawer>
  );
}
