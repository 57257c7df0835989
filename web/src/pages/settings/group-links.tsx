import { UnstyledButton } from '@mantine/core';
import classes from './settings.module.css';
import type { SettingGroup } from './settings-api';

/** The id of the element that a group's link leads to. */
export function groupId(title: string): string {
  return `settings-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
}

/** Links to each group of a long page. */
export function GroupLinks({ groups }: { groups: readonly SettingGroup[] }) {
  return (
    <nav aria-label="Setting groups" className={classes.links}>
      {groups.map(({ title, settings }) => (
        <UnstyledButton key={title} className={classes.link} onClick={() => goTo(title)}>
          {title}
          <span className={classes.count}>{settings.length}</span>
        </UnstyledButton>
      ))}
    </nav>
  );
}

function goTo(title: string): void {
  const heading = document.getElementById(groupId(title));
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
