import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sqliteFile } from '../compose/stores.ts';
import { type Service, systemIds } from '../compose.ts';
import type { Config } from '../config.ts';
import { hashOfKeyValue } from '../domain/access/key-value.ts';
import { type Actor, SCOPES } from '../domain/model.ts';
import { keepChannelWebhook } from './channel-webhook.ts';
import type { SampleHighlights } from './sample-store.ts';

const KEY_LIFETIME_MS = 365 * 86_400_000;

/** The demo's own values. They are stored beside its store, so that printed commands still work after a restart. */
export interface DemoNotes extends SampleHighlights {
  key: string;
  /** The token of the bot's interface, unless BOT_TOKEN is set. */
  botToken: string;
  /** The webhook that delivers to the demo's channel. When somebody has deleted it, it is not created again. */
  webhookId?: string;
}

export interface DemoStart {
  config: Config;
  botToken: string;
  /** Set when the sample store was created by this start. */
  fresh: SampleHighlights | undefined;
  /** The address of the channel's webhook. */
  webhookUrl: string;
  /** The author of the changes in the audit log. */
  actor: Actor;
}

/**
 * Finds the demo's key, or creates one. The value is stored in a file that only its owner may read: it opens sample
 * data on this machine and nothing else.
 */
export async function keepNotes(service: Service, start: DemoStart): Promise<DemoNotes | undefined> {
  const { config, botToken, fresh, webhookUrl, actor } = start;
  const kept = fresh === undefined ? readNotes(config) : undefined;
  const highlights = fresh ?? kept;
  if (highlights === undefined) {
    return undefined;
  }
  const key = kept !== undefined && (await isUsable(service, kept.key)) ? kept.key : undefined;
  const notes = {
    ...highlights,
    key: key ?? (await createDemoKey(service, highlights, actor)),
    botToken,
    webhookId: await keepChannelWebhook(service, { ...highlights, url: webhookUrl, actor }),
  };
  const file = notesFile(config);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(notes, null, 2)}\n`, { mode: 0o600 });
  return notes;
}

function notesFile(config: Config): string {
  return path.join(path.dirname(sqliteFile(config)), 'demo.json');
}

export function makeSecret(): string {
  return Buffer.from(systemIds.randomBytes(32)).toString('base64url');
}

async function createDemoKey(service: Service, { guildId }: SampleHighlights, actor: Actor): Promise<string> {
  const expiresAtMs = Date.now() + KEY_LIFETIME_MS;
  const order = { guildId, name: 'Demo key', scopes: SCOPES, expiresAtMs };
  return (await service.keys.create(order, actor)).value;
}

/** The notes of an earlier start. Undefined when they are missing or damaged: then the store is served without a demo key. */
export function readNotes(config: Config): DemoNotes | undefined {
  try {
    const notes: Partial<DemoNotes> | null = JSON.parse(readFileSync(notesFile(config), 'utf8'));
    const { key, guildId, guildName, playerId, username } = notes ?? {};
    const isWhole = [key, guildId, guildName, playerId, username].every((value) => typeof value === 'string');
    return isWhole ? (notes as DemoNotes) : undefined;
  } catch {
    return undefined;
  }
}

async function isUsable(service: Service, value: string): Promise<boolean> {
  const key = await service.store.keys.findByHash(hashOfKeyValue(value));
  return key !== undefined && key.expiresAtMs > Date.now();
}
