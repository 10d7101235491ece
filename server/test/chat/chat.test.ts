import { describe } from 'vitest';
import { describeBalance } from './balance-suite.ts';
import { startChatService } from './chat-guild.ts';
import { describeChatEndpoint } from './endpoint-suite.ts';

describe('the chat endpoint', () => describeChatEndpoint(startChatService));
describe('/balance', () => describeBalance(startChatService));
