import ArrowLeft from 'icon:arrow-left';
import classes from './back-link.module.css';
import { TextLink } from './links';

/** A link from an item to its list. */
export function BackLink({ to, children }: { to: '/keys' | '/models' | '/projects' | '/users'; children: string }) {
  return (
    <TextLink to={to} size="sm" className={classes.back}>
      <ArrowLeft size={14} aria-hidden="true" />
      {children}
    </TextLink>
  );
}
