import FlaskConical from 'icon:flask-conical';
import { VisuallyHidden } from '@mantine/core';
import classes from './model-health.module.css';
import { type Health, healthText } from './model-health-text';
import { StatusBadge, type StatusTone } from './status-badge';
import { Tip } from './tip';

const STATUSES: Record<Health['status'], { tone: StatusTone; text: string }> = {
  healthy: { tone: 'good', text: 'Healthy' },
  degraded: { tone: 'warn', text: 'Degraded' },
  failing: { tone: 'bad', text: 'Failing' },
  unused: { tone: 'neutral', text: 'No calls yet' },
  simulated: { tone: 'neutral', text: 'Simulated' },
};

/** How a model has answered recently; the tooltip has the numbers. */
export function ModelHealth({ health }: { health: Health }) {
  const { tone, text } = STATUSES[health.status];
  const about = healthText(health);
  return (
    <Tip label={about}>
      <span className={classes.health}>
        <StatusBadge tone={tone} icon={health.status === 'simulated' ? FlaskConical : undefined}>
          {text}
          <VisuallyHidden>: {about}</VisuallyHidden>
        </StatusBadge>
      </span>
    </Tip>
  );
}
