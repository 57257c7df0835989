import Send from 'icon:send';
import { Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { StatusBadge } from '../../kit/status-badge';
import { answerText } from './alert-words';
import classes from './alerts.module.css';
import { type AlertWebhook, alertsQuery, sendTestAlert } from './alerts-api';

/** Where alerts are sent, and a test of it. */
export function WebhookCard({ webhook }: { webhook: AlertWebhook | null }) {
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
