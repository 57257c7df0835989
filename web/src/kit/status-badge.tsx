import { CircleAlert, CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type StatusTone = 'good' | 'warn' | 'bad' | 'neutral' | 'waiting';

const icons: Record<StatusTone, LucideIcon> = {
  good: CircleCheck,
  warn: CircleAlert,
  bad: CircleX,
  neutral: CircleDashed,
  waiting: Clock,
};

interface StatusBadgeProps {
  tone: StatusTone;
  /** Replaces the tone's icon. */
  icon?: LucideIcon;
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
