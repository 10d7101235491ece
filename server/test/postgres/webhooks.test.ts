import { startTestService } from '../support/service.ts';
import { describeWebhooks } from '../webhooks/webhook-suite.ts';
import { createDatabase } from './database.ts';

describeWebhooks(async (environment, overrides) => {
  const database = await createDatabase();
  const settings = { ...environment, DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  const service = await startTestService(settings, overrides);
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
});
