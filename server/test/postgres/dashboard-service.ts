import { type DashboardService, startDashboardService } from '../http/dashboard-service.ts';
import { createDatabase } from './database.ts';

/** The service with its dashboard on a database of its own, which is removed at the end. */
export async function startPostgresDashboard(
  settings: Record<string, string> = {},
): Promise<DashboardService> {
  const database = await createDatabase();
  const service = await startDashboardService(
    {},
    { ...settings, DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) },
  );
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
}
