import type { ApiKey } from '../api/keys.ts';
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
        <caption className={classes.caption}>API keys of this guild</caption>
        <thead>
          <tr>
            <SortHeader sortBy="name" isAscendingFirst {...order}>
              Name
            </SortHeader>
            <th scope="col" className={classes.heading}>
              Scopes
            </th>
            <SortHeader sortBy="created" {...order}>
              Created
            </SortHeader>
            <SortHeader sortBy="lastUsed" {...order}>
              Last used
            </SortHeader>
            <SortHeader sortBy="expires" isAscendingFirst {...order}>
              Expires
            </SortHeader>
            <th scope="col" className={classes.heading}>
              State
            </th>
            <th scope="col" className={classes.heading}>
              <span className={classes.caption}>Actions</span>
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
          {apiKey.name}
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
          by <Creator creator={apiKey.creator} />
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
