import { describe } from 'vitest';
import { describeBalance } from '../chat/balance-suite.ts';
import { describeChanging } from '../chat/changing-suite.ts';
import { chatServiceOn } from '../chat/chat-guild.ts';
import { describeChatEndpoint } from '../chat/endpoint-suite.ts';
import { describeEveryCommand } from '../chat/every-command-suite.ts';
import { describeDeferred, describeFollowUps } from '../chat/follow-ups-suite.ts';
import { describeGuildLanguage } from '../chat/language-suite.ts';
import { describePaying } from '../chat/paying-suite.ts';
import { describeReading } from '../chat/reading-suite.ts';
import { describeReceipts } from '../chat/receipt-suite.ts';
import { startOnPostgres } from './webhook-service.ts';

const start = chatServiceOn(startOnPostgres);

describe('the chat endpoint', () => describeChatEndpoint(start));
describe('every command', () => describeEveryCommand(start));
describe('/balance', () => describeBalance(start));
describe('commands that read', () => describeReading(start));
describe('commands that change', () => describeChanging(start));
describe('what comes after the answer', () => describeFollowUps(start));
describe('deferred replies', () => describeDeferred(start));
describe('/receipt', () => describeReceipts(start));
describe('payments', () => describePaying(start));
describe('the language of a guild', () => describeGuildLanguage(start));
