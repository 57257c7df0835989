import Plus from 'icon:plus';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useSession } from '../../api/session';
import { columnsFor, decimalsFor, KEY_SORTS, StatusSelect } from '../../keys/key-columns';
import type { KeyDialog } from '../../keys/key-dialogs';
import { KeyMenu, useKeyDialogs } from '../../keys/key-menu';
import { STATUS_FILTERS, type StatusFilter } from '../../keys/key-state';
import classes from '../../keys/keys.module.css';
import { anyKeyQuery, keysQuery, namesQuery } from '../../keys/keys-api';
import { useNow } from '../../kit/figures';
import { ListTable, useListView } from '../../kit/list-table';
import { Page, TextLink } from '../../kit/page';
import { ScopeSwitch } from '../../kit/select';
import { useShortcuts } from '../../kit/shortcuts';
import { useScope, useUrlState, useUrlValues } from '../../kit/url-state';
import { OneKey } from './one-key';

/** "alice-laptop" for alice@example.com. */
function nameBase(email: string): string {
  const [local = 'my'] = email.split('@');
  return `${local.slice(0, 80)}-laptop`;
}

/** "alice-laptop", then "alice-laptop-2" */
function freeName(email: string, taken: readonly string[]): string {
  const names = new Set(taken);
  const base = nameBase(email);
  let name = base;
  for (let number = 2; names.has(name); number++) name = `${base}-${number}`;
  return name;
}

/** For the first visit only. */
const NoKeys = lazy(async () => ({ default: (await import('./no-keys')).NoKeys }));
/** For ticked rows only. */
const BulkActions = lazy(async () => ({ default: (await import('../../keys/bulk-actions')).BulkActions }));

const STATUSES: readonly StatusFilter[] = STATUS_FILTERS.map(({ value }) => value);

/** The list, or the key that the address names. One script for both, as they share most of it. */
export function KeysPage() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <KeyTable /> : <OneKey key={id} id={id} />;
}

function KeyTable() {
  const { user } = useSession();
  const now = useNow();
  const scope = useScope();
  const [status, setStatus] = useUrlState<StatusFilter>('status', 'current', { oneOf: STATUSES });
  const view = useListView({ sorts: KEY_SORTS, defaultSort: '-created' });
  const query = useInfiniteQuery(keysQuery({ scope, status, ...view.query }));
  const names = useQuery(namesQuery(nameBase(user.email)));
  const hasNoRows = query.data?.pages[0]?.items.length === 0 && status === 'current' && view.query.q === '';
  const any = useQuery({ ...anyKeyQuery(scope), enabled: hasNoRows });
  const decimals = decimalsFor(query.data?.pages.flatMap(({ items }) => items) ?? []);
  const columns = useMemo(() => columnsFor({ scope, now, decimals }), [scope, now, decimals]);
  const newName = freeName(user.email, names.data ?? []);
  const { dialog, open, show, element: dialogs } = useKeyDialogs({ newName });
  const create = () => open({ kind: 'create' });
  const wasFirst = useCreateParam(show, !names.isPending);
  useReturnAfter(wasFirst && dialog?.kind === 'created');
  useShortcuts([['c', () => dialog === null && create()]]);
  return (
    <Page
      title="API Keys"
      description={
        <>
          Create a separate key for each program or person, so that you can limit, rotate and revoke it on its own. Keys
          that a team shares belong to a <TextLink to="/projects">project</TextLink>.
        </>
      }
      actions={
        <>
          <ScopeSwitch what="keys" />
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={create}>
            Create key
          </Button>
        </>
      }
    >
      <div className={classes.table}>
        <ListTable
          label="API keys"
          query={query}
          view={view}
          columns={columns}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          searchLabel="Search by name or key"
          filters={<StatusSelect value={status} onChange={setStatus} />}
          isFiltered={status !== 'current' || any.data === true}
          onClearFilters={() => setStatus('all')}
          menu={(key, parts) => (
            <KeyMenu
              parts={parts}
              apiKey={key}
              mayStore={key.owner.id === user.id || key.project !== null}
              onOpen={open}
            />
          )}
          bulk={(ticked, clear) => (
            <Suspense fallback={null}>
              <BulkActions keys={ticked} clear={clear} onOpen={open} />
            </Suspense>
          )}
          empty={
            <Suspense fallback={null}>
              <NoKeys onCreate={create} />
            </Suspense>
          }
        />
      </div>
      {dialogs}
    </Page>
  );
}

/**
 * `?create=1` opens the dialog once: from a link elsewhere, or the palette. The used names are known by then. Returns
 * whether it was `?create=first`, a step of the overview.
 */
function useCreateParam(show: (dialog: KeyDialog) => void, isReady: boolean): boolean {
  const [{ create: requested }, setValues] = useUrlValues();
  const [wasFirst, setFirst] = useState(false);
  useEffect(() => {
    if (!requested || !isReady) return;
    setFirst(requested === 'first');
    setValues({ create: undefined });
    show({ kind: 'create' });
  }, [requested, isReady, setValues, show]);
  return wasFirst;
}

/** Returns to the overview, which has the next step, when the new key is no longer shown. */
function useReturnAfter(isShown: boolean): void {
  const navigate = useNavigate();
  const [wasShown, setWasShown] = useState(false);
  if (isShown && !wasShown) setWasShown(true);
  useEffect(() => {
    if (wasShown && !isShown) void navigate({ to: '/' });
  }, [wasShown, isShown, navigate]);
}
