import { NavLink } from 'react-router';
import classes from './LinkTabs.module.css';

interface LinkTabsProps {
  /** The name of the group, for screen readers. */
  label: string;
  tabs: readonly { to: string; label: string }[];
}

/** Tabs whose contents have addresses of their own. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label}>
      <ul className={classes.list}>
        {tabs.map(({ to, label: text }) => (
          <li key={to}>
            <NavLink to={to} className={classes.tab ?? ''}>
              {text}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
