import { Trans } from '@lingui/react/macro';
import type { ApiKey } from '../api/keys.ts';
import { Breakable } from '../components/Breakable.tsx';
import { Moment } from '../components/Moment.tsx';
import { KeyActions, type OnKeyAction } from './KeyActions.tsx';
import classes from './KeyCards.module.css';
import { Creator, KeyMarks, KeyStateTag, LastUsed, ScopeTags } from './KeyFacts.tsx';

interface KeyCardsProps {
  keys: ApiKey[];
  nowMs: number;
  mayRotate: boolean;
  onAction: OnKeyAction;
}

/** The keys as cards, where a table does not fit. */
export function KeyCards({ keys, nowMs, mayRotate, onAction }: KeyCardsProps) {
  return (
    <ul className={classes.cards}>
      {keys.map((key) => (
        <KeyCard key={key.id} apiKey={key} nowMs={nowMs} mayRotate={mayRotate} onAction={onAction} />
      ))}
    </ul>
  );
}

interface KeyCardProps {
  apiKey: ApiKey;
  nowMs: number;
  mayRotate: boolean;
  onAction: OnKeyAction;
}

function KeyCard({ apiKey, nowMs, mayRotate, onAction }: KeyCardProps) {
  return (
    <li className={classes.card} data-state={apiKey.state}>
      <div className={classes.head}>
        <h2 className={classes.name} dir="auto">
          <Breakable>{apiKey.name}</Breakable>
        </h2>
        <KeyActions apiKey={apiKey} mayRotate={mayRotate} onAction={onAction} />
      </div>
      <div className={classes.state}>
        <KeyStateTag state={apiKey.state} />
        <code className={classes.prefix}>{apiKey.prefix}…</code>
      </div>
      <KeyMarks apiKey={apiKey} nowMs={nowMs} />
      <div className={classes.scopes}>
        <ScopeTags scopes={apiKey.scopes} />
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>
            <Trans>Last used</Trans>
          </dt>
          <dd>
            <LastUsed apiKey={apiKey} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Expires</Trans>
          </dt>
          <dd>
            <Moment at={apiKey.expiresAt} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Created</Trans>
          </dt>
          <dd>
            <Moment at={apiKey.createdAt} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Creator</Trans>
          </dt>
          <dd>
            <Creator creator={apiKey.creator} />
          </dd>
        </div>
      </dl>
    </li>
  );
}
