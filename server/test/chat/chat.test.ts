import { describe } from 'vitest';
import { describeBalance } from './balance-suite.ts';
import { describeChanging } from './changing-suite.ts';
import { startChatService } from './chat-guild.ts';
import { describeChatEndpoint } from './endpoint-suite.ts';
import { describeDeferred, describeFollowUps, describeUsualDeferral } from './follow-ups-suite.ts';
import { describePaying } from './paying-suite.ts';
import { describeReading } from './reading-suite.ts';
import { describeReceipts } from './receipt-suite.ts';

describe('the chat endpoint', () => describeChatEndpoint(startChatService));
describe('/balance', () => describeBalance(startChatService));
describe('commands that read', () => describeReading(startChatService));
describe('commands that change', () => describeChanging(startChatService));
describe('what comes after the answer', () => describeFollowUps(startChatService));
describe('deferred replies', () => describeDeferred(startChatService));
describe('a reply that takes long', () => describeUsualDeferral(startChatService));
describe('/receipt', () => describeReceipts(startChatService));
describe('payments', () => describePaying(startChatService));
