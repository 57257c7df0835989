import SearchX from 'icon:search-x';
import { Button, Group, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Page } from '../../kit/page';
import { SearchField } from '../../kit/search-field';
import { SegmentedControl } from '../../kit/segmented-control';
import { EmptyState, QueryStates } from '../../kit/states';
import { useUrlState } from '../../kit/url-state';
import { ScimStatus } from './scim-status';
import classes from './settings.module.css';
import { matchingGroups, SHOWN, type Shown, settingsQuery } from './settings-filter';
import { GroupLinks, SettingsTable } from './settings-table';

export function SettingsPage() {
  const query = useQuery(settingsQuery);
  const [urlSearch, setUrlSearch] = useUrlState('q', '');
  const [search, setSearch] = useState(urlSearch);
  const [shown, setShown] = useUrlState<Shown>('show', 'all', { oneOf: SHOWN });
  const required = useDeferredValue(search);
  const searchFor = (text: string) => {
    setSearch(text);
    setUrlSearch(text);
  };
  const clear = () => {
    searchFor('');
    setShown('all');
  };
  return (
    <Page
      title="Settings"
      description="The settings of this gateway and where each value comes from. Change them in the files or environment variables, then restart the gateway."
    >
      <Group mb="lg" gap="xs">
        <SearchField label="Search settings" value={search} onChange={searchFor} />
        <SegmentedControl
          aria-label="Which settings"
          data={[
            { value: 'all', label: 'All' },
            { value: 'set', label: 'Changed from default' },
          ]}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
        />
      </Group>
      <QueryStates query={query} skeleton={<SettingsSkeleton />}>
        {(groups) => {
          const found = matchingGroups(groups, required, shown);
          if (found.length === 0) return <NothingFound onClear={clear} />;
          return (
            <div className={classes.layout}>
              <GroupLinks groups={found} />
              <Stack gap="xl" miw={0}>
                {required === '' && shown === 'all' && <ScimStatus />}
                {found.map((group) => (
                  <SettingsTable key={group.title} group={group} />
                ))}
              </Stack>
            </div>
          );
        }}
      </QueryStates>
    </Page>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Paper>
      <EmptyState
        icon={SearchX}
        title="Nothing matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear search and filter
          </Button>
        }
      />
    </Paper>
  );
}

function SettingsSkeleton() {
  return (
    <Stack gap="xl">
      <Skeleton h={260} radius="lg" />
      <Skeleton h={160} radius="lg" />
      <Skeleton h={220} radius="lg" />
    </Stack>
  );
}
