import { generateKeyPairSync, sign } from 'node:crypto';
import type { APIInteractionResponse } from 'discord-api-types/v10';
import type { TestReply, TestService } from '../support/service.ts';
import { assertWithinLimits, type Message } from './discord-limits.ts';

export const APPLICATION_ID = '1190000000000000001';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');

/** The settings with which a service answers this Discord. */
export const DISCORD_ENVIRONMENT = { CHAT_APPLICATION_ID: APPLICATION_ID, CHAT_PUBLIC_KEY: PUBLIC_KEY };

/** The types of options, as Discord numbers them. */
export const OPTION = { text: 3, integer: 4, flag: 5, member: 6, number: 10 } as const;

export interface DiscordMember {
  chatId: string;
  roles?: string[];
  /** A bit field; 0 for a plain member. */
  permissions?: string;
  locale?: string;
}

export interface DiscordOption {
  name: string;
  type: number;
  value: unknown;
  focused?: boolean;
}

export interface Sent {
  id: string;
  token: string;
  body: string;
}

let lastId = 1_190_000_000_000_000_000n;

export function nextId(): string {
  lastId += 1n;
  return String(lastId);
}

/** The fields that every interaction of a guild has. */
export function interactionOf(guildId: string, member: DiscordMember, rest: object): Record<string, unknown> {
  const id = nextId();
  return {
    id,
    application_id: APPLICATION_ID,
    version: 1,
    token: `token-${id}`,
    guild_id: guildId,
    channel_id: '1190000000000000002',
    locale: member.locale ?? 'en-US',
    guild_locale: 'en-US',
    app_permissions: '0',
    entitlements: [],
    member: {
      user: { id: member.chatId, username: `user${member.chatId}`, discriminator: '0', avatar: null },
      roles: member.roles ?? [],
      permissions: member.permissions ?? '0',
      joined_at: '2026-01-01T00:00:00.000Z',
      deaf: false,
      mute: false,
    },
    ...rest,
  };
}

export function commandOf(name: string, options: readonly DiscordOption[] = []): object {
  return { type: 2, data: { id: '1190000000000000003', name, type: 1, options } };
}

export function pressOf(customId: string): object {
  return {
    type: 3,
    data: { component_type: 2, custom_id: customId },
    message: { id: nextId(), content: '' },
  };
}

export function completionOf(name: string, options: readonly DiscordOption[]): object {
  return { type: 4, data: { id: '1190000000000000003', name, type: 1, options } };
}

/** The headers with which Discord signs a body. */
export function signedHeaders(body: string | Buffer, atMs: number): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signature = sign(null, Buffer.concat([Buffer.from(timestamp), Buffer.from(body)]), privateKey);
  return {
    'content-type': 'application/json',
    'x-signature-ed25519': signature.toString('hex'),
    'x-signature-timestamp': timestamp,
  };
}

/** Sends a signed request to the endpoint. */
export function deliver(service: TestService, payload: string | Buffer): Promise<TestReply> {
  const headers = signedHeaders(payload, service.clock.nowMs());
  return service.send({ method: 'POST', url: '/chat/interactions', payload, headers });
}

/** Three seconds in turns of the event loop. The service shares it: on a busy machine its turns take longer as well. */
const TURN_MS = 20;
const TURNS_MAX = 150;

/** Rejects when the answer takes longer than Discord waits. */
async function inTime(answer: Promise<TestReply>): Promise<TestReply> {
  const late = Promise.withResolvers<never>();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns > TURNS_MAX) {
      late.reject(new Error('the interaction was not answered within three seconds'));
    }
  }, TURN_MS);
  return Promise.race([answer, late.promise]).finally(() => clearInterval(timer));
}

/** Sends an interaction as Discord does and checks the answer as Discord does. */
export async function interact(service: TestService, interaction: object): Promise<APIInteractionResponse> {
  const reply = await inTime(deliver(service, JSON.stringify(interaction)));
  if (reply.status !== 200) {
    throw new Error(`the interaction was answered with ${reply.status}: ${reply.text}`);
  }
  const answer: APIInteractionResponse = reply.body;
  assertWithinLimits(answer);
  return answer;
}

/** The message of an answer. */
export function messageOf(answer: APIInteractionResponse): Message {
  return 'data' in answer ? ((answer.data ?? {}) as Message) : {};
}

/** Everything that a reader sees of an answer, as text. */
export function textOf(answer: APIInteractionResponse): string {
  const { embeds = [] } = messageOf(answer);
  return embeds
    .flatMap(({ title = '', description = '', fields = [] }) => [
      title,
      description,
      ...fields.map(({ name, value }) => `${name}: ${value}`),
    ])
    .filter((text) => text !== '')
    .join('\n');
}

/** True when only the person who used the command sees the answer. */
export function isEphemeral(answer: APIInteractionResponse): boolean {
  return ((messageOf(answer).flags ?? 0) & 64) !== 0;
}
