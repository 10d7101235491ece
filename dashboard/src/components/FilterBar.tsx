import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './FilterBar.module.css';

interface FilterBarProps {
  /** The fields, in the order of their use. */
  children: ReactNode;
  /** How many records there are, in words; read out when it changes. */
  status: ReactNode;
  /** How many filters are in use: with none there is nothing to clear. */
  narrowedBy: number;
  onClear: () => void;
  /** What can be done with the filtered records, such as an export. */
  actions?: ReactNode;
}

/** What stands above a list: the fields that narrow it down, what is left, and what can be done with that. */
export function FilterBar({ children, status, narrowedBy, onClear, actions }: FilterBarProps) {
  return (
    <search className={classes.bar}>
      <div className={classes.fields}>{children}</div>
      <div className={classes.foot}>
        <p className={classes.status} role="status">
          {status}
        </p>
        {narrowedBy > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconFilterOff size={15} stroke={1.7} />}
            onClick={onClear}
          >
            Clear filters
          </Button>
        )}
        <div className={classes.actions}>{actions}</div>
      </div>
    </search>
  );
}
