import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session';
import classes from './nav-links.module.css';
import { ADMIN_PAGES, type Destination, MEMBER_PAGES } from './navigation';

/** Links to every page that the person can see. */
export function NavLinks({ onNavigate }: { onNavigate: () => void }) {
  const { user } = useSession();
  return (
    <div className={classes.nav}>
      <Links pages={MEMBER_PAGES} onNavigate={onNavigate} />
      {user.role === 'admin' && (
        <>
          <Text className={classes.group} id="nav-admin">
            Admin
          </Text>
          <Links pages={ADMIN_PAGES} labelledBy="nav-admin" onNavigate={onNavigate} />
        </>
      )}
    </div>
  );
}

interface LinksProps {
  pages: Destination[];
  labelledBy?: string;
  onNavigate: () => void;
}

function Links({ pages, labelledBy, onNavigate }: LinksProps) {
  return (
    <ul className={classes.list} aria-labelledby={labelledBy}>
      {pages.map((page) => (
        <li key={page.to}>
          <NavLink {...page} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  );
}

function NavLink({ to, label, icon: Icon, onNavigate }: Destination & { onNavigate: () => void }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className={classes.link}
      onClick={onNavigate}
    >
      <Icon size={17} strokeWidth={1.75} aria-hidden="true" />
      <span>{label}</span>
    </Link>
  );
}
