import { startFilledService } from '../http/filled-service.ts';
import { describeKeyApi } from '../http/key-api-suite.ts';
import { createDatabase } from './database.ts';

describeKeyApi(async () => {
  const database = await createDatabase();
  const service = await startFilledService({ DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) });
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
});
