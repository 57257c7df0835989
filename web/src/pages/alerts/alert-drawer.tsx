import { Drawer } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { RelativeTime } from '../../kit/relative-time';
import { Delivery } from './alert-columns';
import { alertTitle, answerText } from './alert-words';
import classes from './alerts.module.css';
import type { Alert } from './alerts-api';

interface AlertDrawerProps {
  /** Null closes the drawer. */
  alert: Alert | null;
  onClose: () => void;
}

/** One alert with its whole text and the webhook's last answer. */
export function AlertDrawer({ alert, onClose }: AlertDrawerProps) {
  return (
    <Drawer
      opened={alert !== null}
      onClose={onClose}
      title={alert ? alertTitle(alert.type) : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {alert && (
        <dl className={classes.facts}>
          {factsOf(alert).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Drawer>
  );
}

function factsOf(alert: Alert): [string, ReactNode][] {
  const { text, subject, at, attempts, triedAt, answerStatus: status, answer } = alert;
  return [
    ['Message', text],
    ['About', subject],
    ['When', <RelativeTime key="when" value={at} />],
    ['Webhook', <Delivery key="delivery" alert={alert} />],
    ...(attempts > 0
      ? ([
          ['Attempts', String(attempts)],
          ['Last attempt', triedAt ? <RelativeTime key="tried" value={triedAt} /> : 'Under way'],
          ['Answer', answerText({ status, answer })],
        ] as [string, ReactNode][])
      : []),
  ];
}
