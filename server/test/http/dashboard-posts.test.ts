import { describeDashboardPosts } from './dashboard-posts-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeDashboardPosts(() => startDashboardService());
