import Plus from 'icon:plus';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useSession } from '../../api/session';
import { ListTable } from '../../kit/list-table';
import { openerNow } from '../../kit/opener';
import { Page } from '../../kit/page';
import { ScopeSwitch } from '../../kit/scope-switch';
import { Select } from '../../kit/select';
import { useListView } from '../../kit/use-list-view';
import { useNow } from '../../kit/use-now';
import { useScope } from '../../kit/use-scope';
import { useShortcuts } from '../../kit/use-shortcuts';
import { useUrlState, useUrlValues } from '../../kit/use-url-state';
import { BulkActions } from './bulk-actions';
import { columnsFor, decimalsFor, KEY_SORTS } from './key-columns';
import type { KeyDialog } from './key-dialogs';
import { KeyMenu } from './key-menu';
import { freeName, nameBase } from './key-name-suggestion';
import { STATUS_FILTERS, type StatusFilter } from './key-state';
import classes from './keys.module.css';
import { anyKeyQuery, keysQuery, namesQuery } from './keys-api';
import { NoKeys } from './no-keys';
import { OneKey } from './one-key';

const STATUSES: readonly StatusFilter[] = STATUS_FILTERS.map(({ value }) => value);

/** Its forms are larger than the page's code; once opened it stays mounted, to fade out. */
const KeyDialogs = lazy(() => import('./key-dialogs').then((module) => ({ default: module.KeyDialogs })));

/** The list, or the key that the address names. One script for both, as they share most of it. */
export function KeysPage() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <KeyTable /> : <OneKey key={id} id={id} />;
}

function KeyTable() {
  const { user } = useSession();
  const now = useNow();
  const [scope] = useScope();
  const [status, setStatus] = useUrlState<StatusFilter>('status', 'current', { oneOf: STATUSES });
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const [isAsked, setAsked] = useState(false);
  if (dialog && !isAsked) setAsked(true);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const view = useListView({ sorts: KEY_SORTS, defaultSort: '-created' });
  const query = useInfiniteQuery(keysQuery({ scope, status, ...view.query }));
  const names = useQuery(namesQuery(nameBase(user.email)));
  const isNothing = query.data?.pages[0]?.items.length === 0 && status === 'current' && view.query.q === '';
  const any = useQuery({ ...anyKeyQuery(scope), enabled: isNothing });
  const decimals = decimalsFor(query.data?.pages.flatMap(({ items }) => items) ?? []);
  const columns = useMemo(() => columnsFor(scope, now, decimals), [scope, now, decimals]);
  const open = (next: KeyDialog) => {
    setOpener(openerNow());
    setDialog(next);
  };
  const create = () => open({ kind: 'create' });
  const wasFirst = useCreateParam(setDialog, !names.isPending);
  useReturnAfter(wasFirst && dialog?.kind === 'once');
  useShortcuts([['c', () => dialog === null && create()]]);
  return (
    <Page
      title="API Keys"
      description="Create a separate key for each program or person, so that you can limit, rotate and revoke it on its own."
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
          filters={
            <Select
              className={classes.filter}
              aria-label="Status"
              data={STATUS_FILTERS}
              value={status}
              allowDeselect={false}
              onChange={(value) => value && setStatus(value)}
            />
          }
          isFiltered={status !== 'current' || any.data === true}
          onClearFilters={() => setStatus('all')}
          menu={(key, parts) => (
            <KeyMenu parts={parts} apiKey={key} isForeign={key.owner.id !== user.id} onOpen={open} />
          )}
          bulk={(ticked, clear) => <BulkActions keys={ticked} clear={clear} onOpen={open} />}
          empty={<NoKeys onCreate={create} />}
        />
      </div>
      {isAsked && (
        <Suspense fallback={null}>
          <KeyDialogs
            newName={freeName(user.email, names.data ?? [])}
            dialog={dialog}
            opener={opener}
            onChange={setDialog}
          />
        </Suspense>
      )}
    </Page>
  );
}

/**
 * `?create=1` opens the dialog once: from a link elsewhere, or the palette. The used names are known by then. Returns
 * whether it was `?create=first`, a step of the overview.
 */
function useCreateParam(show: (dialog: KeyDialog) => void, isReady: boolean): boolean {
  const [{ create: asked }, setValues] = useUrlValues();
  const [wasFirst, setFirst] = useState(false);
  useEffect(() => {
    if (!asked || !isReady) return;
    setFirst(asked === 'first');
    setValues({ create: undefined });
    show({ kind: 'create' });
  }, [asked, isReady, setValues, show]);
  return wasFirst;
}

/** Returns to the overview, where the next step is, once the new key is no longer shown. */
function useReturnAfter(isShown: boolean): void {
  const navigate = useNavigate();
  const [wasShown, setWasShown] = useState(false);
  if (isShown && !wasShown) setWasShown(true);
  useEffect(() => {
    if (wasShown && !isShown) void navigate({ to: '/' });
  }, [wasShown, isShown, navigate]);
}
