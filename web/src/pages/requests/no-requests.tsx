import ListTree from 'icon:list-tree';
import { Button, Group } from '@mantine/core';
import { ButtonLink } from '../../kit/page';
import { EmptyState } from '../../kit/states';
import { FILTERS, type RequestsControls, withoutFilters } from './use-requests-search';

export function NoRequests({ search: { filters, span }, change }: Pick<RequestsControls, 'search' | 'change'>) {
  const isFiltered = FILTERS.some((name) => filters[name].length > 0);
  return (
    <EmptyState
      icon={ListTree}
      title="No requests here"
      action={
        <Group justify="center">
          {isFiltered && (
            <Button variant="default" onClick={() => change(withoutFilters())}>
              Clear filters
            </Button>
          )}
          {span && (
            <Button variant="default" onClick={() => change({ since: undefined, until: undefined })}>
              Show the whole range
            </Button>
          )}
          {!isFiltered && !span && (
            <ButtonLink to="/playground" variant="default">
              Open Playground
            </ButtonLink>
          )}
        </Group>
      }
    >
      {isFiltered ? 'No requests match this range and these filters.' : 'New requests appear here automatically.'}
    </EmptyState>
  );
}
