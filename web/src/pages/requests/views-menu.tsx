import Bookmark from 'icon:bookmark';
import X from 'icon:x';
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { DropPanel } from '../../kit/on-demand';
import { looksLikeKey, type SearchParams } from '../../kit/search-params';
import { toSavedSearch } from './use-requests-search';

interface SavedView {
  name: string;
  search: SearchParams;
}

/** Named addresses of the page, in this browser only. */
function useSavedViews() {
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: 'console-request-views',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return {
    views,
    save: (name: string, search: SearchParams) =>
      setViews([...views.filter((view) => view.name !== name), { name, search: toSavedSearch(search) }]),
    remove: (name: string) => setViews(views.filter((view) => view.name !== name)),
  };
}

/** Saved combinations of range, filters and grouping. */
export function ViewsMenu() {
  return (
    <DropPanel
      position="bottom-end"
      width={290}
      dropdown={{ p: 'sm', 'aria-label': 'Saved views' }}
      target={
        <Button variant="default" leftSection={<Bookmark size={15} aria-hidden />}>
          Views
        </Button>
      }
    >
      <Views />
    </DropPanel>
  );
}

function Views() {
  const current: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState('');
  const isUsable = name.trim() !== '' && !looksLikeKey(name);
  return (
    <Stack gap="xs">
      {views.length === 0 && (
        <Text size="sm" c="dimmed">
          Save the range and filters that you use often. Views are kept in this browser.
        </Text>
      )}
      {views.map((view) => (
        <Group key={view.name} gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            color="gray"
            justify="start"
            fullWidth
            size="compact-md"
            onClick={() => void navigate({ to: '/requests', search: view.search })}
          >
            {view.name}
          </Button>
          <ActionIcon aria-label={`Delete the view ${view.name}`} onClick={() => remove(view.name)}>
            <X size={15} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isUsable) return;
          save(name.trim(), current);
          setName('');
        }}
      >
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label="Name of the view"
            placeholder="Name of this view"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Button type="submit" disabled={!isUsable}>
            Save
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
