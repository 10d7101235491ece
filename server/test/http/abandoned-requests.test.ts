import { describeAbandonedRequests } from './abandoned-requests-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeAbandonedRequests((addRoutes, settings) => startDashboardService({ addRoutes }, settings));
