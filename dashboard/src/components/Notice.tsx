import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

const icons = {
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  danger: IconCircleX,
} as const;

interface NoticeProps {
  tone: keyof typeof icons;
  title?: string;
  /** Announced by screen readers at once: for results of an action. */
  isAnnounced?: boolean;
  children: ReactNode;
}

export function Notice({ tone, title, isAnnounced = false, children }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={classes.notice} data-tone={tone} role={isAnnounced ? 'alert' : undefined}>
      <Icon size={18} stroke={1.8} className={classes.icon} aria-hidden="true" />
      <div className={classes.body}>
        {title && <p className={classes.title}>{title}</p>}
        {children}
      </div>
    </div>
  );
}
