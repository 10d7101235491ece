import { startTestService } from '../support/service.ts';
import { describeWebhookFairness } from './webhook-fairness-suite.ts';

describeWebhookFairness(startTestService);
