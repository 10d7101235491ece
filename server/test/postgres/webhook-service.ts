import { startTestService } from '../support/service.ts';
import type { StartWebhookService } from '../webhooks/webhook-guild.ts';
import { createDatabase } from './database.ts';

/** The service on a PostgreSQL database of its own. */
export const startOnPostgres: StartWebhookService = async (environment, overrides) => {
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
};
