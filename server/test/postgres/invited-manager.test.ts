import { describeInvitedManager } from '../http/invited-manager-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeInvitedManager(startPostgresDashboard);
