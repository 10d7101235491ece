import { startTestService } from '../support/service.ts';
import { describeWebhookKeys } from './webhook-key-suite.ts';

describeWebhookKeys(startTestService);
