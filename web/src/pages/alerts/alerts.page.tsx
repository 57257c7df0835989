import BellRing from 'icon:bell-ring';
import Send from 'icon:send';
import X from 'icon:x';
import { Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../api/api-error';
import { NothingMatches } from '../../kit/data-table-parts';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { PagedTable } from '../../kit/paged-table';
import { Select } from '../../kit/select';
import { EmptyState } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { useIdCheck, useUrlDrawer, useUrlState, useUrlValues } from '../../kit/url-state';
import { alertColumns } from './alert-columns';
import {
  ALERT_KINDS,
  ALERTS,
  type AlertWebhook,
  alertsQuery,
  alertTitle,
  answerText,
  sendTestAlert,
  toAlertRows,
} from './alert-words';
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
    onSettled: () => queries.invalidateQueries({ queryKey: ALERTS }),
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
  ({ row }) => row !== null,
  { row: null },
);

const KIND_CHOICES = Object.entries(ALERT_KINDS).map(([value, label]) => ({ value, label }));

export function AlertsPage() {
  const [, change] = useUrlValues();
  const showAbout = (subject: string) => change({ about: subject, kind: undefined, alert: undefined });
  const [kind, setKind] = useUrlState('kind', '', { oneOf: Object.keys(ALERT_KINDS) });
  const [about, setAbout] = useUrlState('about', '');
  const query = useInfiniteQuery({ ...alertsQuery(kind, about), placeholderData: keepPreviousData });
  const [openId, open, close] = useUrlDrawer('alert');
  const columns = useMemo(() => alertColumns(({ id }) => open(id)), [open]);
  const [first] = query.data?.pages ?? [];
  const rows = useMemo(() => toAlertRows(query.data?.pages.flatMap(({ items }) => items) ?? []), [query.data]);
  const opened = rows.find(({ alert, earlier }) => [alert, ...earlier].some(({ id }) => id === openId)) ?? null;
  useIdCheck('alert', openId, !query.data || opened !== null);
  const isFiltered = kind !== '' || about !== '';
  const clear = () => change({ kind: undefined, about: undefined });
  return (
    <Page
      title="Alerts"
      description="What the gateway reported in the last 30 days: budgets, upstreams that fail, and the ledger."
    >
      {first && <WebhookCard webhook={first.webhook} />}
      <Group gap="xs" mb="sm">
        <Select
          aria-label="Kind"
          data={[{ value: '', label: 'Alerts of any kind' }, ...KIND_CHOICES]}
          value={kind}
          onChange={(value) => setKind(value ?? '')}
          allowDeselect={false}
        />
        {about !== '' && (
          <Button variant="light" rightSection={<X size={14} aria-hidden="true" />} onClick={() => setAbout('')}>
            About {about}
          </Button>
        )}
      </Group>
      <PagedTable
        label="Alerts"
        query={query}
        rows={rows}
        columns={columns}
        rowKey={({ alert }) => alert.id}
        rowLabel={({ alert }) => alertTitle(alert.type)}
        onRowClick={({ alert }) => open(alert.id)}
        isSelected={(row) => row === opened}
        empty={
          isFiltered ? (
            <NothingMatches onClear={clear} />
          ) : (
            <EmptyState icon={BellRing} title="No alerts yet">
              An alert appears here when a budget reaches 80 or 100 %, an upstream is set aside or comes back, or the
              ledger cannot be written.
            </EmptyState>
          )
        }
      />
      <AlertDrawer row={opened} onClose={close} onFilter={showAbout} />
    </Page>
  );
}
