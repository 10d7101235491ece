import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { beginReport, beginReportOfFile, endReport } from './failure-report.ts';
import { removeFolders } from './folder.ts';
import { endProcesses } from './process.ts';
import { forgetRequests } from './request-report.ts';

// Vitest runs this before each test file. The files of a worker share their modules, so nothing of one file may be left
// in them when the next begins.

beforeAll(() => beginReportOfFile());
beforeEach(({ task }) => {
  forgetRequests();
  beginReport(task);
});
afterEach(({ task }) => endReport(task));
afterAll(async () => {
  await endProcesses();
  removeFolders();
});
