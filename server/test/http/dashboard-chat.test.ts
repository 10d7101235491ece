import { describeDashboardChat } from './dashboard-chat-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeDashboardChat(() => startDashboardService());
