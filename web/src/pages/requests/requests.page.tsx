import ArrowUp from 'icon:arrow-up';
import Download from 'icon:download';
import FileJson from 'icon:file-json';
import FileSpreadsheet from 'icon:file-spreadsheet';
import { Button, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import tableClasses from '../../kit/data-table.module.css';
import { DataTableSkeleton, ShowMore } from '../../kit/data-table-parts';
import { DataTableHead, DataTableRow, TableBodies } from '../../kit/data-table-rows';
import { useDownload } from '../../kit/notify';
import { formatNumber } from '../../kit/numbers';
import { DropMenu, onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import type { ZoneChoice } from '../../kit/range';
import { RangeDays, RangePresets } from '../../kit/range-choice';
import { ScopeSwitch } from '../../kit/select';
import { ErrorState } from '../../kit/states';
import { Table } from '../../kit/table';
import { useChosenColumns } from '../../kit/table-columns';
import { formatClock, formatTime } from '../../kit/times';
import { useUrlDrawer } from '../../kit/url-state';
import { ChosenFilters, FilterBar } from './filter-bar';
import { type Choice, FindBox } from './find-box';
import { OutcomeHistogram } from './outcome-histogram';
import { requestColumns } from './request-columns';
import classes from './requests.module.css';
import { type Call, exportAddress } from './requests-queries';
import { type LiveRequests, useLiveRequests, useSteps } from './use-live-requests';
import { type RequestsControls, type RequestsSearch, useRequestsSearch } from './use-requests-search';

interface LiveNoteProps {
  live: LiveRequests;
  zone: ZoneChoice;
}

/** The time of the list, and whether it goes on by itself. */
function LiveNote({ live: { upToDateAt, isLive, isPaused, hasFailed, list }, zone }: LiveNoteProps) {
  const goesOn = isLive && !isPaused && !hasFailed;
  return (
    <Group gap={8} mih={28}>
      {goesOn && <span className={classes.live} aria-hidden />}
      <Text span inherit>
        {upToDateAt === null && (list.isError ? 'No data available' : 'Loading the latest requests…')}
        {isPaused && 'Paused, the gateway does not answer. '}
        {upToDateAt !== null && `${goesOn ? 'Live. ' : ''}Up to date as of ${clock(upToDateAt, zone)}`}
        {hasFailed && !isPaused && '. New requests could not be loaded; trying again.'}
      </Text>
    </Group>
  );
}

/** New requests that would move the list; a click shows them. */
function PendingPill({ live: { pending, showPending }, onShow }: { live: LiveRequests; onShow: () => void }) {
  return (
    <div className={classes.pill} role="status">
      {pending && (
        <Button
          size="compact-sm"
          radius="xl"
          leftSection={<ArrowUp size={14} aria-hidden />}
          onClick={() => {
            showPending();
            onShow();
          }}
        >
          {formatNumber(pending.count)}
          {pending.isAll ? '' : '+'} new
        </Button>
      )}
    </div>
  );
}

function clock(at: string, zone: ZoneChoice): string {
  const time = formatClock(new Date(at), zone);
  return zone === 'utc' ? `${time} UTC` : time;
}

const FORMATS = [
  { format: 'csv', label: 'CSV', Icon: FileSpreadsheet },
  { format: 'json', label: 'JSON', Icon: FileJson },
] as const;

/** Downloads of every request that matches the range and the filters. */
function ExportMenu({ search }: { search: RequestsSearch }) {
  const { isBusy, download } = useDownload();
  return (
    <DropMenu
      width={220}
      target={
        <Button variant="default" loading={isBusy} leftSection={<Download size={15} aria-hidden />}>
          Export
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>All requests that match</Menu.Label>
          {FORMATS.map(({ format, label, Icon }) => (
            <Menu.Item
              key={format}
              component="a"
              href={exportAddress(search, format)}
              download
              onClick={download}
              leftSection={<Icon size={15} aria-hidden />}
              aria-label={`All requests that match (${label})`}
            >
              {label}
            </Menu.Item>
          ))}
        </>
      )}
    </DropMenu>
  );
}

/** Loaded when a list is empty. */
const NoRequests = lazy(() => import('./no-requests').then((module) => ({ default: module.NoRequests })));

interface RequestsTableProps extends RequestsControls {
  list: LiveRequests['list'];
  calls: readonly Call[] | undefined;
  /** The id of the request whose details are open. */
  openId: string | null;
  onOpen: (id: string) => void;
}

/** The requests, newest first, one line each. */
function RequestsTable({ list, calls, openId, onOpen, search, isAdmin, change }: RequestsTableProps) {
  const { zone } = search.range;
  const showsUsers = search.scope !== 'mine';
  const columns = useMemo(
    () => requestColumns({ zone, showsUsers, isAdmin, open: onOpen }),
    [zone, showsUsers, isAdmin, onOpen],
  );
  const { shown, chooser } = useChosenColumns('Requests', columns);
  if (!calls) {
    return (
      <Paper>
        {list.error ? (
          <ErrorState error={list.error} isRetrying={list.isFetching} onRetry={() => list.refetch()} />
        ) : (
          <DataTableSkeleton label="Requests" columns={columns.length} />
        )}
      </Paper>
    );
  }
  const searchedTo = list.data?.pages.at(-1)?.searchedTo ?? null;
  return (
    <>
      {calls.length === 0 ? (
        <Paper>
          <Suspense fallback={null}>
            <NoRequests search={search} change={change} />
          </Suspense>
        </Paper>
      ) : (
        <>
          {chooser && <Group>{chooser}</Group>}
          <Paper className={classes.frame}>
            <Table
              role="table"
              aria-label="Requests"
              className={`${tableClasses.table} ${classes.table}`}
              highlightOnHover
              stickyHeader
            >
              <DataTableHead columns={shown} sort={null} onSort={() => undefined} hasMenu={false} />
              <TableBodies rows={calls}>
                {(call) => (
                  <DataTableRow
                    key={call.id}
                    row={call}
                    label={`request ${call.requestId}`}
                    columns={shown}
                    isSelected={call.id === openId}
                    onClick={({ id }) => onOpen(id)}
                  />
                )}
              </TableBodies>
            </Table>
          </Paper>
        </>
      )}
      {searchedTo !== null && (
        <Text size="sm" c="dimmed" ta="center" mt="md">
          Searched 10,000 requests, back to {formatTime(new Date(searchedTo), zone)}.
        </Text>
      )}
      {list.hasNextPage && (
        <ShowMore
          onClick={() => list.fetchNextPage()}
          isLoading={list.isFetchingNextPage}
          hasFailed={list.isFetchNextPageError}
        />
      )}
    </>
  );
}

const ErrorCauses = lazy(() => import('./error-causes').then((module) => ({ default: module.ErrorCauses })));
const ViewsMenu = lazy(() => import('./views-menu').then((module) => ({ default: module.ViewsMenu })));
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
  const choose = ({ kind, id }: Choice) => {
    if (kind === 'request') open(id);
    else change({ [kind === 'httpStatus' ? 'httpStatuses' : `${kind}s`]: id, ...(isAdmin && { scope: 'all' }) });
  };
  const steps = useSteps(calls, live.list, call, show);
  return (
    <Page
      title="Requests"
      description={<LiveNote live={live} zone={search.range.zone} />}
      actions={
        <>
          <Suspense fallback={null}>
            <ViewsMenu />
          </Suspense>
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
            label="Errors by cause"
            checked={search.showsCauses}
            onChange={(event) => change({ group: event.currentTarget.checked ? 'errors' : undefined })}
          />
        </div>
        <ChosenFilters {...controls} />
        <OutcomeHistogram search={search} change={change} />
        {search.showsCauses ? (
          <Suspense fallback={<DataTableSkeleton label="Errors by cause" columns={6} />}>
            <ErrorCauses {...controls} />
          </Suspense>
        ) : (
          <>
            <PendingPill live={live} onShow={() => search.span && change({ since: undefined, until: undefined })} />
            <RequestsTable {...controls} list={live.list} calls={calls} openId={call} onOpen={open} />
          </>
        )}
      </Stack>
      <CallDrawer id={call} zone={search.range.zone} onClose={close} steps={steps} />
    </Page>
  );
}
