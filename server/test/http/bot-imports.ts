import { afterAll, beforeAll, beforeEach } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import { type BotService, startBotService } from './bot-service.ts';
import { COMMANDS, DISCHARGE, GUILD_ID, TRANSFER, VERIFICATION } from './filled-service.ts';

export const TRANSACTION = {
  guildId: GUILD_ID,
  playerId: '48213977',
  transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d',
  amount: -0.075,
  quantity: 3,
  name: 'Copper Nail',
  source: 'shop',
  createdAt: '2025-11-14T20:15:30.123Z',
};

/** One service for all tests of a file. It is there from `beforeAll` on, so only tests may read it. */
export function shareImports() {
  let service: BotService;
  beforeAll(async () => {
    service = await startBotService();
  });
  afterAll(() => service.stop());
  /** Each test begins with what the service was filled with as it was, and brings ids and players that no other test has. */
  beforeEach(async () => {
    const { store, guilds } = service;
    const guild = await guilds.find(GUILD_ID);
    await Promise.all([
      store.discharges.put(guild, [DISCHARGE], CHANGE),
      store.transfers.put(guild, [TRANSFER], CHANGE),
      store.verifications.put([VERIFICATION], CHANGE),
      store.commands.replace(COMMANDS, CHANGE),
    ]);
  });

  return {
    get service() {
      return service;
    },
    outcomes: async (url: string, body: string | Buffer) =>
      (await service.importLines(url, body)).map(({ outcome }) => outcome),
  };
}
