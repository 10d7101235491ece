import { describeWebhookKeys } from '../webhooks/webhook-key-suite.ts';
import { startOnPostgres } from './webhook-service.ts';

describeWebhookKeys(startOnPostgres);
