import Copy from 'icon:copy';
import MessagesSquare from 'icon:messages-square';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { useSession } from '../../api/session';
import { useCopy } from '../../kit/copy-button';
import { FaultNote } from '../../kit/notes';
import { PLAYGROUND_REQUEST, writeTab } from '../../kit/url-state';
import { REQUEST_SNIPPETS, type SnippetRequest } from '../../snippets/request-snippets';
import { SNIPPET_APIS } from '../../snippets/snippet-api';
import type { CallDetail } from './requests-queries';

const [CURL] = REQUEST_SNIPPETS;
const [CHAT] = SNIPPET_APIS;
const EMBEDDINGS = CHAT && { ...CHAT, path: '/embeddings' };

/** A request of the same form, for calls whose prompt is not stored. */
function placeholderOf({ model, stream, api }: CallDetail): SnippetRequest {
  if (api === 'embeddings') return { model, input: '…' };
  return { model, messages: [{ role: 'user', content: '…' }], ...(stream && { stream }) };
}

/** The stored request, in the form of Chat Completions; a look at it is recorded. */
async function storedRequest(id: string): Promise<SnippetRequest> {
  const { request } = await unwrap(api.GET('/api/usage/calls/{id}/content', { params: { path: { id } } }));
  return request as unknown as SnippetRequest;
}

/** Repeats the request elsewhere: with its prompt if that is stored and the person may read it. */
export function CallActions({ call }: { call: CallDetail }) {
  const { baseUrl } = useSession();
  const navigate = useNavigate();
  const { copied, copy } = useCopy();
  const [stored, setStored] = useState<SnippetRequest | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isEmbeddings = call.api === 'embeddings';
  const canRead = call.hasContent && call.mayReadContent;
  const load = async () => {
    if (!canRead || stored) return stored;
    setLoading(true);
    setFault(null);
    try {
      const request = await storedRequest(call.id);
      setStored(request);
      return request;
    } catch (error) {
      setFault(messageOf(error));
      return null;
    } finally {
      setLoading(false);
    }
  };
  const open = async () => {
    const request = await load();
    if (request) writeTab(PLAYGROUND_REQUEST, JSON.stringify(request));
    if (request || !canRead) await navigate({ to: '/playground', search: { model: call.model } });
  };
  const copyCurl = async () => {
    const request = await load();
    const api = isEmbeddings ? EMBEDDINGS : CHAT;
    if (request || !canRead) await copy(CURL?.toCode(baseUrl, request ?? placeholderOf(call), undefined, api) ?? '');
  };
  if (call.model === '') return null;
  return (
    <div>
      <Group gap="xs">
        {!isEmbeddings && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<MessagesSquare size={15} aria-hidden />}
            loading={isLoading}
            onClick={() => void open()}
          >
            Open in playground
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Copy size={15} aria-hidden />}
          onClick={() => void copyCurl()}
        >
          {copied ? 'Copied' : 'Copy as curl'}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {canRead
          ? `With its prompt${isEmbeddings ? '' : ', as a request of Chat Completions'}. The audit log records who loads it.`
          : 'Its prompt is not stored, or you cannot read it: write it again.'}
      </Text>
      <FaultNote fault={fault} />
    </div>
  );
}
