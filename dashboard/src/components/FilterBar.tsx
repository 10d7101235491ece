import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter, IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './FilterBar.module.css';
import { useIsPhone } from './use-is-narrow.ts';

interface FilterBarProps {
  /** The fields, in the order of use. */
  children: ReactNode;
  /** The number of records as text; announced by screen readers when it changes. */
  status: ReactNode;
  /** The number of active filters. With none, the button to clear them is hidden. */
  narrowedBy: number;
  onClear: () => void;
  /** The active filters, each with a way to remove it. */
  chips?: ReactNode;
  /** Actions on the filtered records, such as an export. */
  actions?: ReactNode;
}

/**
 * The area above a list: filters, the number of matches and actions. On a phone the filters are behind a button, so
 * that the first record is on the first screen.
 */
export function FilterBar({ children, status, narrowedBy, onClear, chips, actions }: FilterBarProps) {
  const isPhone = useIsPhone();
  const [isOpen, fields] = useDisclosure(false);
  const fieldsId = useId();
  const clear = narrowedBy > 0 && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconFilterOff size={15} stroke={1.7} />}
      onClick={onClear}
    >
      <Trans>Clear filters</Trans>
    </Button>
  );
  const filters = (
    <div id={fieldsId} className={classes.fields} hidden={isPhone && !isOpen}>
      {children}
    </div>
  );
  return (
    <search className={classes.bar}>
      {!isPhone && filters}
      <div className={classes.foot}>
        {isPhone && (
          <Button
            variant={isOpen ? 'light' : 'default'}
            className={classes.toggle ?? ''}
            leftSection={<IconFilter size={16} stroke={1.7} />}
            aria-expanded={isOpen}
            aria-controls={fieldsId}
            onClick={fields.toggle}
          >
            {narrowedBy > 0 ? t`Filters (${narrowedBy})` : t`Filters`}
          </Button>
        )}
        <p className={classes.status} role="status">
          {status}
        </p>
        {chips === undefined && clear}
        <div className={classes.actions}>{actions}</div>
      </div>
      {/* Below their button. */}
      {isPhone && filters}
      {/* In a line of their own, so that a new chip does not move the actions while somebody clicks on one. */}
      {chips !== undefined && narrowedBy > 0 && (
        <div className={classes.chips}>
          {chips}
          {clear}
        </div>
      )}
    </search>
  );
}
