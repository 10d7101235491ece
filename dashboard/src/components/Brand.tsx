import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { MouseEventHandler } from 'react';
import classes from './Brand.module.css';

/** The logo with the product's name, linked to the start page. */
export function Brand({ onClick }: { onClick?: MouseEventHandler<HTMLAnchorElement> | undefined }) {
  return (
    <a href="/dashboard/" className={classes.brand} aria-label={t`Guildbook, start page`} onClick={onClick}>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" className={classes.mark}>
        <rect width="32" height="32" rx="8" className={classes.cover} />
        <path d="M9 8.5h10.5a3 3 0 0 1 3 3v12H12a3 3 0 0 1-3-3z" />
        <path d="M9 20.5a3 3 0 0 1 3-3h10.5M13 12.5h5.5" />
      </svg>
      <span>
        <Trans>Guildbook</Trans>
      </span>
    </a>
  );
}
