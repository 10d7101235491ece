import { describeAuditRoles } from '../http/audit-roles-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeAuditRoles(startPostgresDashboard);
