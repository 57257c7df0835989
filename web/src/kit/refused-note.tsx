import ShieldX from 'icon:shield-x';
import { Group, Text } from '@mantine/core';
import { TextLink } from './links';
import { formatNumber } from './numbers';
import type { SearchParams } from './search-params';

interface RefusedNoteProps {
  refused: number | undefined;
  /** Of the page of requests: its range and filters. */
  search: SearchParams;
}

/** Below an error rate: the requests that are not part of it. */
export function RefusedNote({ refused, search }: RefusedNoteProps) {
  if (!refused) return null;
  const were = refused === 1 ? '1 request was' : `${formatNumber(refused)} requests were`;
  return (
    <Group gap={6} mt="xs" wrap="nowrap" align="flex-start">
      <ShieldX size={15} aria-hidden="true" color="var(--console-warn)" style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">
        {were} refused before a model was called, due to the key, a limit or an error in the request. They are not part
        of the error rate.{' '}
        <TextLink to="/requests" search={{ ...search, statuses: 'refused' }} inherit underline="always">
          Show refused requests
        </TextLink>
      </Text>
    </Group>
  );
}
