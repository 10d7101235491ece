import type { APIInteractionResponse } from 'discord-api-types/v10';
import type { EnvironmentVariables } from '../../src/config.ts';
import { changeAt } from '../support/change.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import {
  commandOf,
  DISCORD_ENVIRONMENT,
  type DiscordMember,
  type DiscordOption,
  interact,
  interactionOf,
} from './fake-discord.ts';

export const GUILD = '814203957731622912';
export const OTHER_GUILD = '925514068842733023';

/** Two verified members and one who is not. */
export const ROWAN: DiscordMember & { playerId: string } = { chatId: '301', playerId: 'p-rowan' };
export const KESTREL: DiscordMember & { playerId: string } = { chatId: '302', playerId: 'p-kestrel' };
export const STRANGER: DiscordMember = { chatId: '399' };

export interface ChatService extends TestService {
  key: string;
  /** Uses a command as a member, some seconds after the last one, so that no limit refuses it. */
  use(
    member: DiscordMember,
    name: string,
    options?: DiscordOption[],
    guildId?: string,
  ): Promise<APIInteractionResponse>;
  /** Posts with the guild's key. */
  post(changes: Record<string, unknown>): Promise<void>;
}

export type StartChatService = (environment?: EnvironmentVariables) => Promise<ChatService>;

/** A service that answers Discord, with two guilds and two verified members. */
export const startChatService: StartChatService = async (environment = {}) =>
  withMembers(await startTestService({ ...DISCORD_ENVIRONMENT, ...environment }));

export async function withMembers(service: TestService): Promise<ChatService> {
  await service.addGuild(GUILD);
  await service.addGuild(OTHER_GUILD);
  const { value: key } = await service.addKey(GUILD);
  await service.store.verifications.put(
    [
      { chatId: ROWAN.chatId, playerId: ROWAN.playerId, username: 'Rowan_Ashford' },
      { chatId: KESTREL.chatId, playerId: KESTREL.playerId, username: 'KestrelVane' },
    ],
    changeAt(service.clock.nowMs()),
  );
  return {
    ...service,
    key,
    async use(member, name, options = [], guildId = GUILD) {
      service.clock.advance(10_001);
      return interact(service, interactionOf(guildId, member, commandOf(name, options)));
    },
    async post(changes) {
      service.clock.advance(1_000);
      const payload = transactionBody(changes);
      const reply = await service.send({ method: 'POST', url: '/guild/ledger', key, payload });
      if (reply.status !== 200) {
        throw new Error(`the post was answered with ${reply.status}: ${reply.text}`);
      }
    },
  };
}
