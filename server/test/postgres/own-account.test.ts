import { describeOwnAccount } from '../http/own-account-suite.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

describeOwnAccount(startPostgresDashboard);
