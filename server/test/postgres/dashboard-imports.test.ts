import { describeDashboardImports } from '../http/dashboard-imports-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeDashboardImports(() => startPostgresDashboard({ GUILD_EDITS_VERIFICATIONS: 'true' }));
