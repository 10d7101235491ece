import { startTestService } from '../support/service.ts';
import { describeWebhookRaces } from './webhook-race-suite.ts';

describeWebhookRaces(startTestService);
