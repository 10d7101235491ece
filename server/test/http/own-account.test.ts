import { startDashboardService } from './dashboard-service.ts';
import { describeOwnAccount } from './own-account-suite.ts';

describeOwnAccount(() => startDashboardService());
