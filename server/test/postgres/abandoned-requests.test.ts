import { describeAbandonedRequests } from '../http/abandoned-requests-suite.ts';
import { startDashboardService } from '../http/dashboard-service.ts';
import { createDatabase } from './database.ts';

describeAbandonedRequests(async (addRoutes, settings) => {
  const database = await createDatabase();
  const service = await startDashboardService(
    { addRoutes },
    { ...settings, DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) },
  );
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
});
