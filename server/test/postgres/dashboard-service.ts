import { type DashboardService, startDashboardService } from '../http/dashboard-service.ts';
import { createDatabase } from './database.ts';

/** The service with its dashboard on a database of its own, which is removed at the end. */
export async function startPostgresDashboard(
  settings: Record<string, string> = {},
  overrides: Parameters<typeof startDashboardService>[0] = {},
): Promise<DashboardService & { databaseUrl: string }> {
  const database = await createDatabase();
  const service = await startDashboardService(overrides, {
    ...settings,
    DATABASE_URL: database.url,
    SECRET_KEY: 'k'.repeat(32),
  });
  return {
    ...service,
    databaseUrl: database.url,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
}
