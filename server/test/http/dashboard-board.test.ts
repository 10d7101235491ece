import { describeDashboardBoard } from './dashboard-board-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeDashboardBoard(() => startDashboardService());
