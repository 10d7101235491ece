import { describeDashboardImports } from './dashboard-imports-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeDashboardImports(() => startDashboardService({}, { GUILD_EDITS_VERIFICATIONS: 'true' }));
