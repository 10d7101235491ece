import { describeDashboardChat } from '../http/dashboard-chat-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeDashboardChat(startPostgresDashboard);
