import { Badge, Group, Text } from '@mantine/core';
import type { Column } from '../../kit/data-table-rows';
import { RelativeTime } from '../../kit/figures';
import { formatNumber } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import { StatusBadge } from '../../kit/status-badge';
import { withHumanTimes } from '../../kit/times';
import { type Alert, type AlertRow, alertTitle, deliveryState, placeOf } from './alert-words';
import classes from './alerts.module.css';

export function alertColumns(onOpen: (alert: Alert) => void): Column<AlertRow>[] {
  return [
    {
      key: 'type',
      header: 'Alert',
      onCard: 'title',
      cell: ({ alert, earlier }) => (
        <div>
          <Group gap="xs">
            <button type="button" className={classes.open} onClick={() => onOpen(alert)}>
              {alertTitle(alert.type)}
            </button>
            {earlier.length > 0 && (
              <Badge
                size="sm"
                variant="light"
                color="gray"
                title={`${formatNumber(earlier.length + 1)} alerts in a row; the newest is shown`}
              >
                {formatNumber(earlier.length + 1)} ×
              </Badge>
            )}
          </Group>
          <Text size="sm" fw={400} className={classes.onCard}>
            {withHumanTimes(alert.text)}
          </Text>
        </div>
      ),
    },
    { key: 'about', header: 'About', cell: ({ alert }) => <Subject alert={alert} /> },
    {
      key: 'text',
      header: 'Message',
      onCard: 'hide',
      cell: ({ alert }) => (
        <Text size="sm" className={classes.message} lineClamp={2}>
          {withHumanTimes(alert.text)}
        </Text>
      ),
    },
    { key: 'delivery', header: 'Webhook', cell: ({ alert }) => <Delivery alert={alert} /> },
    { key: 'at', header: 'When', cell: ({ alert }) => <RelativeTime value={alert.at} /> },
  ];
}

/** A link to what the alert is about, if it has a page. */
export function Subject({ alert }: { alert: Alert }) {
  const place = placeOf(alert);
  // The id of a key is no word; its name is in the message.
  const name = place?.to.startsWith('/keys/') ? 'The key' : alert.subject;
  return place ? (
    <TextLink {...place} size="sm" className={classes.subject}>
      {name}
    </TextLink>
  ) : (
    <span className={classes.subject}>{name}</span>
  );
}

export function Delivery({ alert }: { alert: Alert }) {
  const { tone, text } = deliveryState(alert);
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}
