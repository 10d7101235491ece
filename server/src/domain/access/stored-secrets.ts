import type { SealedSession } from '../model.ts';
import type { Clock, SessionStore } from '../ports.ts';
import { labelOfField, unreadablePart } from '../webhooks/readability.ts';
import type { SealedField, SealedWebhook } from '../webhooks/webhook.ts';
import type { WebhookStore } from '../webhooks/webhook-store.ts';
import type { Keyring } from './sealing.ts';

/** Rows read, and then written, at a time. */
const PAGE_ROWS = 500;
const FIELDS: readonly SealedField[] = ['sealedUrl', 'sealedSecret', 'sealedOldSecret'];

/** Numbers of webhooks and sessions. */
export interface SecretCounts {
  webhooks: number;
  sessions: number;
}

/**
 * All secrets in the store that the operator's key encrypts, except those of pending sign-ins, which last ten
 * minutes.
 */
export interface StoredSecrets {
  /**
   * Counts the secrets that no key opens, and those that only the previous key opens. A webhook whose secret cannot
   * be opened delivers nothing. A session whose tokens cannot be opened does no harm: its person signs in again.
   */
  count(): Promise<{ unreadable: SecretCounts; previous: SecretCounts }>;
  /**
   * Reseals with the present key the secrets that only the previous key opens, and returns the number of webhooks and
   * sessions. A value that is changed at the same moment keeps the change.
   */
  reseal(): Promise<SecretCounts>;
}

export interface StoredSecretParts {
  webhooks: Pick<WebhookStore, 'readSealed' | 'reseal'>;
  sessions: Pick<SessionStore, 'readSealed' | 'update'>;
  keyring: Keyring;
  clock: Pick<Clock, 'nowMs'>;
}

export function createStoredSecrets(parts: StoredSecretParts): StoredSecrets {
  const { webhooks, sessions, keyring } = parts;
  const keyOfTokens = ({ sealedTokens, tokenHash }: SealedSession) => keyring.keyOf(sealedTokens, tokenHash);
  const oldFields = (webhook: SealedWebhook) =>
    FIELDS.filter((field) => isSealedBefore(webhook, field, keyring));

  /** False when none of its values was replaced, because another process did so first. */
  async function resealWebhook(webhook: SealedWebhook): Promise<boolean> {
    const outcomes = oldFields(webhook).map((field) => {
      const from = webhook[field] ?? '';
      const to = sealAnew(keyring, from, labelOfField(field, webhook));
      return webhooks.reseal(webhook, { field, from, to });
    });
    return (await Promise.all(outcomes)).includes(true);
  }

  async function resealSession(session: SealedSession): Promise<boolean> {
    const { tokenHash, sealedTokens: from } = session;
    return (
      keyOfTokens(session) === 'previous' &&
      sessions.update(tokenHash, { sealedTokens: sealAnew(keyring, from, tokenHash) }, from)
    );
  }

  return {
    async count() {
      const unreadable = { webhooks: 0, sessions: 0 };
      const previous = { webhooks: 0, sessions: 0 };
      for await (const page of webhookPages(parts)) {
        unreadable.webhooks += page.filter((one) => unreadablePart(one, keyring) !== undefined).length;
        previous.webhooks += page.filter((one) => oldFields(one).length > 0).length;
      }
      for await (const page of sessionPages(parts)) {
        const keys = page.map(keyOfTokens);
        unreadable.sessions += keys.filter((key) => key === undefined).length;
        previous.sessions += keys.filter((key) => key === 'previous').length;
      }
      return { unreadable, previous };
    },
    async reseal() {
      const resealed = { webhooks: 0, sessions: 0 };
      for await (const page of webhookPages(parts)) {
        resealed.webhooks += await countTrue(page.map(resealWebhook));
      }
      for await (const page of sessionPages(parts)) {
        resealed.sessions += await countTrue(page.map(resealSession));
      }
      return resealed;
    },
  };
}

function isSealedBefore(webhook: SealedWebhook, field: SealedField, keyring: Keyring): boolean {
  const sealed = webhook[field];
  return sealed !== undefined && keyring.keyOf(sealed, labelOfField(field, webhook)) === 'previous';
}

function sealAnew(keyring: Keyring, sealed: string, label: string): string {
  const text = keyring.open(sealed, label);
  if (text === undefined) {
    throw new Error('a value that was readable a moment ago is not any more');
  }
  return keyring.seal(text, label);
}

async function countTrue(outcomes: readonly Promise<boolean>[]): Promise<number> {
  return (await Promise.all(outcomes)).filter((outcome) => outcome).length;
}

function webhookPages({ webhooks }: StoredSecretParts): AsyncIterable<SealedWebhook[]> {
  return pagesOf((after: SealedWebhook | undefined) => webhooks.readSealed({ after, limit: PAGE_ROWS }));
}

function sessionPages({ sessions, clock }: StoredSecretParts): AsyncIterable<SealedSession[]> {
  const nowMs = clock.nowMs();
  return pagesOf((after: SealedSession | undefined) =>
    sessions.readSealed({ after, nowMs, limit: PAGE_ROWS }),
  );
}

async function* pagesOf<Row>(read: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let page = await read(undefined);
  while (page.length > 0) {
    yield page;
    page = await read(page.at(-1));
  }
}
