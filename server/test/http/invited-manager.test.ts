import { startDashboardService } from './dashboard-service.ts';
import { describeInvitedManager } from './invited-manager-suite.ts';

describeInvitedManager(() => startDashboardService());
