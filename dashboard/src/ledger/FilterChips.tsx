import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import classes from './FilterChips.module.css';
import type { FilterChip } from './filter-chips.ts';

interface FilterChipsProps {
  chips: readonly FilterChip[];
  onChange: (without: FilterChip['without']) => void;
}

/** The active filters, each removed by a click. */
export function FilterChips({ chips, onChange }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t`Active filters`}>
      {chips.map(({ label, value, without }) => (
        <li key={label}>
          <Button
            variant="default"
            size="compact-sm"
            radius="xl"
            className={classes.chip ?? ''}
            rightSection={<IconX size={14} stroke={1.8} aria-hidden="true" />}
            aria-label={t`Remove the filter ${label}: ${value}`}
            onClick={() => onChange(without)}
          >
            <span className={classes.text}>
              <span className={classes.label}>{label}</span> <bdi>{value}</bdi>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
