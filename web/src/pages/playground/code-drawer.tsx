import { Drawer, SegmentedControl, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../kit/code-block';
import { REQUEST_SNIPPETS } from '../../snippets/request-snippets';
import { SNIPPET_APIS } from '../../snippets/snippet-api';
import type { ChatRequest } from './chat.types';
import { withShortImages } from './chat-request';
import { requestFor } from './other-apis';

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
