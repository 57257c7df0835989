import CircleAlert from 'icon:circle-alert';
import CircleCheck from 'icon:circle-check';
import CircleDashed from 'icon:circle-dashed';
import CircleX from 'icon:circle-x';
import Clock from 'icon:clock';
import FlaskConical from 'icon:flask-conical';
import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from '../icons/icon';
import classes from './kit.module.css';
import { Tip } from './on-demand';
import { type Health, healthText } from './words';

export type StatusTone = 'good' | 'warn' | 'bad' | 'neutral' | 'waiting';

const icons: Record<StatusTone, Icon> = {
  good: CircleCheck,
  warn: CircleAlert,
  bad: CircleX,
  neutral: CircleDashed,
  waiting: Clock,
};

interface StatusBadgeProps {
  tone: StatusTone;
  /** Replaces the tone's icon. */
  icon?: Icon;
  /** Whether long texts are broken into lines. */
  wraps?: boolean;
  children: ReactNode;
}

/** A state in words, with an icon; color is only an addition. */
export function StatusBadge({ tone, icon, wraps = false, children }: StatusBadgeProps) {
  const Icon = icon ?? icons[tone];
  return (
    <span className={classes.badge} data-tone={tone} data-wraps={wraps || undefined}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {children}
    </span>
  );
}

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
