import { describeDashboardPosts } from '../http/dashboard-posts-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeDashboardPosts(startPostgresDashboard);
