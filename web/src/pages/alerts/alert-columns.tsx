import { Text } from '@mantine/core';
import type { Column } from '../../kit/data-table-rows';
import { RelativeTime } from '../../kit/figures';
import { StatusBadge } from '../../kit/status-badge';
import { type Alert, alertTitle, deliveryState } from './alert-words';
import classes from './alerts.module.css';

export function alertColumns(onOpen: (alert: Alert) => void): Column<Alert>[] {
  return [
    {
      key: 'type',
      header: 'Alert',
      onCard: 'title',
      cell: (alert) => (
        <div>
          <button type="button" className={classes.open} onClick={() => onOpen(alert)}>
            {alertTitle(alert.type)}
          </button>
          <Text size="sm" fw={400} className={classes.onCard}>
            {alert.text}
          </Text>
        </div>
      ),
    },
    {
      key: 'text',
      header: 'Message',
      onCard: 'hide',
      cell: ({ text }) => (
        <Text size="sm" className={classes.message} lineClamp={2}>
          {text}
        </Text>
      ),
    },
    { key: 'delivery', header: 'Webhook', cell: (alert) => <Delivery alert={alert} /> },
    { key: 'at', header: 'When', cell: ({ at }) => <RelativeTime value={at} /> },
  ];
}

export function Delivery({ alert }: { alert: Alert }) {
  const { tone, text } = deliveryState(alert);
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}
