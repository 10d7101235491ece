import { Trans } from '@lingui/react/macro';
import type { ApiKey } from '../api/keys.ts';
import { Breakable } from '../components/Breakable.tsx';
import { Moment } from '../components/Moment.tsx';
import { SortHeader } from '../components/SortHeader.tsx';
import { KeyActions, type OnKeyAction } from './KeyActions.tsx';
import { Creator, KeyMarks, KeyStateTag, LastUsed, ScopeTags } from './KeyFacts.tsx';
import classes from './KeyTable.module.css';
import type { KeyOrdering } from './key-list.ts';

interface KeyTableProps {
  keys: ApiKey[];
  nowMs: number;
  ordering: KeyOrdering;
  onOrder: (ordering: KeyOrdering) => void;
  mayRotate: boolean;
  onAction: OnKeyAction;
}

export function KeyTable({ keys, nowMs, ordering, onOrder, mayRotate, onAction }: KeyTableProps) {
  const order = { ordering, onOrder, className: classes.heading };
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.caption}>
          <Trans>API keys of this guild</Trans>
        </caption>
        <thead>
          <tr>
            <SortHeader sortBy="name" isAscendingFirst {...order}>
              <Trans>Name</Trans>
            </SortHeader>
            <th scope="col" className={classes.heading}>
              <Trans>Scopes</Trans>
            </th>
            <SortHeader sortBy="created" {...order}>
              <Trans>Created</Trans>
            </SortHeader>
            <SortHeader sortBy="lastUsed" {...order}>
              <Trans>Last used</Trans>
            </SortHeader>
            <SortHeader sortBy="expires" isAscendingFirst {...order}>
              <Trans>Expires</Trans>
            </SortHeader>
            <th scope="col" className={classes.heading}>
              <Trans>State</Trans>
            </th>
            <th scope="col" className={classes.heading}>
              <span className={classes.caption}>
                <Trans>Actions</Trans>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} nowMs={nowMs} mayRotate={mayRotate} onAction={onAction} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  nowMs: number;
  mayRotate: boolean;
  onAction: OnKeyAction;
}

function KeyRow({ apiKey, nowMs, mayRotate, onAction }: KeyRowProps) {
  return (
    <tr data-state={apiKey.state}>
      <th scope="row" className={classes.name}>
        <span dir="auto" className={classes.nameText}>
          <Breakable>{apiKey.name}</Breakable>
        </span>
        <code className={classes.prefix}>{apiKey.prefix}…</code>
        <KeyMarks apiKey={apiKey} nowMs={nowMs} />
      </th>
      <td className={classes.cell}>
        <ScopeTags scopes={apiKey.scopes} />
      </td>
      <td className={classes.created}>
        <Moment at={apiKey.createdAt} nowMs={nowMs} />
        <span className={classes.creator}>
          <Trans>
            by <Creator creator={apiKey.creator} />
          </Trans>
        </span>
      </td>
      <td className={classes.moment}>
        <LastUsed apiKey={apiKey} nowMs={nowMs} />
      </td>
      <td className={classes.moment}>
        <Moment at={apiKey.expiresAt} nowMs={nowMs} />
      </td>
      <td className={classes.cell}>
        <KeyStateTag state={apiKey.state} />
      </td>
      <td className={classes.actions}>
        <KeyActions apiKey={apiKey} mayRotate={mayRotate} onAction={onAction} />
      </td>
    </tr>
  );
}
