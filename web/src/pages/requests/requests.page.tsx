import { Group, Stack, Switch } from '@mantine/core';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { RangeDays, RangePresets } from '../../kit/range-choice';
import { ScopeSwitch } from '../../kit/scope-switch';
import type { Found } from '../../kit/use-found';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { ChosenFilters } from './chosen-filters';
import { ExportMenu } from './export-menu';
import { FilterBar } from './filter-bar';
import { FindBox } from './find-box';
import { LiveNote, PendingPill } from './live-note';
import { OutcomeHistogram } from './outcome-histogram';
import classes from './requests.module.css';
import { RequestsTable } from './requests-table';
import { useLiveRequests } from './use-live-requests';
import { useRequestsSearch } from './use-requests-search';
import { useSteps } from './use-steps';
import { ViewsMenu } from './views-menu';

const CallDrawer = onDemand(
  () => import('./call-drawer').then((module) => module.CallDrawer),
  ({ id }) => id !== null,
  { id: null },
);

/** Every request, as it happens. The address holds the whole state. */
export function RequestsPage() {
  const controls = useRequestsSearch();
  const { search, change, isAdmin } = controls;
  const live = useLiveRequests(search);
  const [call, open, close, show] = useUrlDrawer('call');
  const calls = live.list.data?.pages.flatMap(({ items }) => items);
  const choose = ({ kind, id }: Found) => {
    if (kind === 'request') open(id);
    else change({ [`${kind}s`]: id, ...(isAdmin && { scope: 'all' }) });
  };
  const steps = useSteps(calls, live.list, call, show);
  return (
    <Page
      title="Requests"
      description={<LiveNote live={live} zone={search.range.zone} />}
      actions={
        <>
          <ViewsMenu />
          <ExportMenu search={search} />
        </>
      }
    >
      <Stack gap="sm">
        <Group gap={6}>
          <RangePresets range={search.range} change={change} />
          <ScopeSwitch what="requests" />
          <FindBox onChoose={choose} />
        </Group>
        <RangeDays range={search.range} change={change} />
        <div className={classes.controls}>
          <FilterBar {...controls} />
          <Switch
            label="Group errors"
            checked={search.isGrouped}
            onChange={(event) => change({ group: event.currentTarget.checked ? 'errors' : undefined })}
          />
        </div>
        <ChosenFilters {...controls} />
        <OutcomeHistogram search={search} change={change} />
        <PendingPill live={live} onShow={() => search.span && change({ since: undefined, until: undefined })} />
        <RequestsTable {...controls} list={live.list} calls={calls} openId={call} onOpen={open} />
      </Stack>
      <CallDrawer id={call} zone={search.range.zone} onClose={close} steps={steps} />
    </Page>
  );
}
