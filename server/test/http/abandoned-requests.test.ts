import { describeAbandonedRequests } from './abandoned-requests-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeAbandonedRequests((stepHook, settings) => startDashboardService({ stepHook }, settings));
