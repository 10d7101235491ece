import { describe } from 'vitest';
import { describeBalance } from '../chat/balance-suite.ts';
import { type StartChatService, withMembers } from '../chat/chat-guild.ts';
import { describeChatEndpoint } from '../chat/endpoint-suite.ts';
import { DISCORD_ENVIRONMENT } from '../chat/fake-discord.ts';
import { createTestClock } from '../support/clock.ts';
import { startOnPostgres } from './webhook-service.ts';

const start: StartChatService = async (environment = {}) =>
  withMembers(
    await startOnPostgres({ ...DISCORD_ENVIRONMENT, ...environment }, { clock: createTestClock() }),
  );

describe('the chat endpoint', () => describeChatEndpoint(start));
describe('/balance', () => describeBalance(start));
