import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter, IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './FilterBar.module.css';
import { useIsPhone } from './use-is-narrow.ts';

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

/**
 * What stands above a list: the fields that narrow it down, what is left, and what can be done with that. On a phone the
 * fields are behind a button, so that the first record is on the first screen.
 */
export function FilterBar({ children, status, narrowedBy, onClear, actions }: FilterBarProps) {
  const isPhone = useIsPhone();
  const [isOpen, fields] = useDisclosure(false);
  const fieldsId = useId();
  return (
    <search className={classes.bar}>
      <div id={fieldsId} className={classes.fields} hidden={isPhone && !isOpen}>
        {children}
      </div>
      <div className={classes.foot}>
        {isPhone && (
          <Button
            variant="default"
            className={classes.toggle ?? ''}
            leftSection={<IconFilter size={16} stroke={1.7} />}
            aria-expanded={isOpen}
            aria-controls={fieldsId}
            onClick={fields.toggle}
          >
            {narrowedBy > 0 ? `Filters (${narrowedBy})` : 'Filters'}
          </Button>
        )}
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
