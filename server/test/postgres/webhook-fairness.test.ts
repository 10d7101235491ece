import { describeWebhookFairness } from '../webhooks/webhook-fairness-suite.ts';
import { startOnPostgres } from './webhook-service.ts';

describeWebhookFairness(startOnPostgres);
