import type { APIInteractionResponse } from 'discord-api-types/v10';
import type { EnvironmentVariables } from '../../src/config.ts';
import { changeAt } from '../support/change.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import { type DiscordApi, startDiscordApi } from './discord-api.ts';
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
  discord: DiscordApi;
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

export type StartChatService = (
  environment?: EnvironmentVariables,
  overrides?: { chatDeferMs?: number | undefined },
) => Promise<ChatService>;

/** Starts a service on a store. */
export type StartOnStore = (
  environment: EnvironmentVariables,
  overrides: { clock: TestClock; chatDeferMs?: number | undefined },
) => Promise<TestService>;

/** A service that answers a fake Discord, with two guilds and two verified members. */
export function chatServiceOn(startOnStore: StartOnStore): StartChatService {
  return async (environment = {}, overrides = {}) => {
    const clock = createTestClock();
    const discord = await startDiscordApi(clock.nowMs);
    const settings = { ...DISCORD_ENVIRONMENT, ...discord.environment, ...environment };
    // Tests are not to depend on the speed of the machine: only those of deferred replies choose another time.
    const service = await startOnStore(settings, { clock, chatDeferMs: 60_000, ...overrides });
    return withMembers(service, discord);
  };
}

export const startChatService = chatServiceOn(startTestService);

async function withMembers(service: TestService, discord: DiscordApi): Promise<ChatService> {
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
    discord,
    async stop() {
      await service.stop();
      await discord.close();
    },
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
