import { describeKeyRouteLimits } from '../http/key-route-limits-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeKeyRouteLimits(startPostgresDashboard);
