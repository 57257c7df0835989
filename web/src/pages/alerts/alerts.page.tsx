import BellRing from 'icon:bell-ring';
import Send from 'icon:send';
import { Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../api/api-error';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { PagedTable } from '../../kit/paged-table';
import { EmptyState } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { useUrlDrawer } from '../../kit/url-state';
import { alertColumns } from './alert-columns';
import { type AlertWebhook, alertsQuery, alertTitle, answerText, sendTestAlert } from './alert-words';
import classes from './alerts.module.css';

/** Where alerts are sent, and a test of it. */
function WebhookCard({ webhook }: { webhook: AlertWebhook | null }) {
  return (
    <Card mb="md">
      <Group justify="space-between" gap="md">
        <Stack gap={4} className={classes.webhook}>
          <Title order={2} size="h3">
            Webhook
          </Title>
          {webhook ? (
            <Text size="sm">
              Alerts are sent to <strong>{webhook.host}</strong>,{' '}
              {webhook.isSigned ? (
                'signed.'
              ) : (
                <>
                  without a signature. Set <Code>ALERT_WEBHOOK_SECRET</Code> to sign them.
                </>
              )}
            </Text>
          ) : (
            <Text size="sm">
              No webhook is set up: alerts are only listed here. Set <Code>ALERT_WEBHOOK_URL</Code> to send them to a
              chat channel or an on-call tool.
            </Text>
          )}
        </Stack>
        {webhook && <SendTest />}
      </Group>
    </Card>
  );
}

function SendTest() {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: sendTestAlert,
    onSettled: () => queries.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  });
  return (
    <Stack gap="xs" className={classes.test}>
      <Button
        variant="default"
        leftSection={<Send size={15} aria-hidden="true" />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test message
      </Button>
      <div role="status">
        {test.error && <StatusBadge tone="bad">{messageOf(test.error)}</StatusBadge>}
        {test.data && (
          <StatusBadge tone={test.data.ok ? 'good' : 'bad'}>
            {test.data.ok ? 'Accepted' : 'Not accepted'} · {answerText(test.data)}
          </StatusBadge>
        )}
      </div>
    </Stack>
  );
}

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
