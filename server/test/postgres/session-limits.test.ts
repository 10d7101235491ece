import { startDashboardService } from '../http/dashboard-service.ts';
import { describeSessionLimits } from '../http/session-limits-suite.ts';
import { createDatabase } from './database.ts';

describeSessionLimits(async (addRoutes) => {
  const database = await createDatabase();
  const service = await startDashboardService(
    { addRoutes },
    { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) },
  );
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
});
