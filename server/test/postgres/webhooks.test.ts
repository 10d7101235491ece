import { describeWebhooks } from '../webhooks/webhook-suite.ts';
import { startOnPostgres } from './webhook-service.ts';

describeWebhooks(startOnPostgres);
