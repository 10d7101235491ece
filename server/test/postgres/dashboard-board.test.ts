import { describeDashboardBoard } from '../http/dashboard-board-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeDashboardBoard(startPostgresDashboard);
