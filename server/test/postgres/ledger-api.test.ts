import { startFilledService } from '../http/filled-service.ts';
import { describeLedgerApi } from '../http/ledger-api-suite.ts';
import { createDatabase } from './database.ts';

describeLedgerApi(async () => {
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
