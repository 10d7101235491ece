import { readFile } from 'node:fs/promises';
import { startDashboardService } from './dashboard-service.ts';
import { describeKeyLog } from './key-log-suite.ts';
import { FLUSH_MS } from './logged-key.ts';

describeKeyLog(
  () => startDashboardService({ keyUsageFlushMs: FLUSH_MS }),
  async ({ file }) => {
    const files = [file, `${file}-wal`].map((name) => readFile(name, 'latin1'));
    return (await Promise.all(files)).join('');
  },
);
