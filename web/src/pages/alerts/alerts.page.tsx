import BellRing from 'icon:bell-ring';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { PagedTable } from '../../kit/paged-table';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { alertColumns } from './alert-columns';
import { alertTitle } from './alert-words';
import { alertsQuery } from './alerts-api';
import { WebhookCard } from './webhook-card';

const AlertDrawer = onDemand(
  () => import('./alert-drawer').then((module) => module.AlertDrawer),
  ({ alert }) => alert !== null,
  { alert: null },
);

export function AlertsPage() {
  const query = useInfiniteQuery(alertsQuery);
  const [openId, open, close] = useUrlDrawer('alert');
  const columns = useMemo(() => alertColumns(({ id }) => open(id)), [open]);
  const alerts = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const [first] = query.data?.pages ?? [];
  return (
    <Page
      title="Alerts"
      description="What the gateway reported in the last 30 days: budgets, upstreams that fail, and the ledger."
    >
      {first && <WebhookCard webhook={first.webhook} />}
      <PagedTable
        label="Alerts"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ type }) => alertTitle(type)}
        onRowClick={({ id }) => open(id)}
        isSelected={({ id }) => id === openId}
        empty={
          <EmptyState icon={BellRing} title="No alerts yet">
            An alert appears here when a budget reaches 80 or 100 %, an upstream is set aside or comes back, or the
            ledger cannot be written.
          </EmptyState>
        }
      />
      <AlertDrawer alert={alerts.find(({ id }) => id === openId) ?? null} onClose={close} />
    </Page>
  );
}
