import { describeAuditRoles } from './audit-roles-suite.ts';
import { startDashboardService } from './dashboard-service.ts';

describeAuditRoles((settings) => startDashboardService({}, settings));
