import { startDashboardService } from './dashboard-service.ts';
import { describeSessionLimits } from './session-limits-suite.ts';

describeSessionLimits((addRoutes) => startDashboardService({ addRoutes }));
