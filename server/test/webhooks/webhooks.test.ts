import { describeWebhooks } from './webhook-suite.ts';

describeWebhooks();
