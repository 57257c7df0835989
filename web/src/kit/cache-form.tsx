import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { queryClient } from '../api/query-client';
import { DialogEnd } from './dialog';
import { notifyDone } from './notify';
import { useSubmit } from './use-submit';

interface CacheFormProps {
  kind: 'keys' | 'projects';
  id: string;
  name: string;
  onClose: () => void;
}

/** For how long the answers to equal calls of a key or a project are cached. */
export function CacheForm({ kind, id, name, onClose }: CacheFormProps) {
  const params = { path: { id } };
  const queryKey = [kind, 'cache', id];
  const { data } = useQuery({
    queryKey,
    queryFn: () =>
      unwrap(
        kind === 'keys' ? api.GET('/api/keys/{id}/cache', { params }) : api.GET('/api/projects/{id}/cache', { params }),
      ),
  });
  const [typed, setTyped] = useState<string | null>(null);
  const value = typed ?? data?.cache ?? '';
  const save = useSubmit(async () => {
    const body = { cache: value.trim() };
    if (kind === 'keys') await unwrap(api.PUT('/api/keys/{id}/cache', { params, body }));
    else await unwrap(api.PUT('/api/projects/{id}/cache', { params, body }));
    await queryClient.invalidateQueries({ queryKey });
    notifyDone(`The cache of ${name} is set to ${body.cache}`);
    onClose();
  });
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Keep answers for"
          description="A duration such as 1h, none, or default: as the model's row says. Equal calls then get the stored answer and cost nothing."
          value={value}
          autoComplete="off"
          data-autofocus
          error={save.fault}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <DialogEnd fault={null} onCancel={onClose}>
          <Button type="submit" loading={save.isBusy}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
