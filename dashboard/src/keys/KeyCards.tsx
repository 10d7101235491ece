import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ApiKey } from '../api/keys.ts';
import { Moment } from '../components/Moment.tsx';
import classes from './KeyCards.module.css';
import { Creator, KeyStateTag, LastUsed, ScopeTags } from './KeyFacts.tsx';

interface KeyCardsProps {
  keys: ApiKey[];
  nowMs: number;
  onDelete: (key: ApiKey) => void;
}

/** The list of keys where a table has no room. */
export function KeyCards({ keys, nowMs, onDelete }: KeyCardsProps) {
  return (
    <ul className={classes.cards}>
      {keys.map((key) => (
        <KeyCard key={key.id} apiKey={key} nowMs={nowMs} onDelete={onDelete} />
      ))}
    </ul>
  );
}

interface KeyCardProps {
  apiKey: ApiKey;
  nowMs: number;
  onDelete: (key: ApiKey) => void;
}

function KeyCard({ apiKey, nowMs, onDelete }: KeyCardProps) {
  return (
    <li className={classes.card} data-state={apiKey.state}>
      <div className={classes.head}>
        <h2 className={classes.name} dir="auto">
          {apiKey.name}
        </h2>
        <KeyStateTag state={apiKey.state} />
      </div>
      <code className={classes.prefix}>{apiKey.prefix}…</code>
      <div className={classes.scopes}>
        <ScopeTags scopes={apiKey.scopes} />
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Last used</dt>
          <dd>
            <LastUsed apiKey={apiKey} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>
            <Moment at={apiKey.expiresAt} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Moment at={apiKey.createdAt} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>Creator</dt>
          <dd>
            <Creator creator={apiKey.creator} />
          </dd>
        </div>
      </dl>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconTrash size={15} stroke={1.7} />}
        aria-label={`Delete the key ${apiKey.name}`}
        onClick={() => onDelete(apiKey)}
      >
        Delete
      </Button>
    </li>
  );
}
