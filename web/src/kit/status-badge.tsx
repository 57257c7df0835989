import CircleAlert from 'icon:circle-alert';
import CircleCheck from 'icon:circle-check';
import CircleDashed from 'icon:circle-dashed';
import CircleX from 'icon:circle-x';
import Clock from 'icon:clock';
import type { ReactNode } from 'react';
import type { Icon } from '../icons/icon';
import classes from './status-badge.module.css';

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
  children: ReactNode;
}

/** A state in words, with an icon; color is only an addition. */
export function StatusBadge({ tone, icon, children }: StatusBadgeProps) {
  const Icon = icon ?? icons[tone];
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {children}
    </span>
  );
}
