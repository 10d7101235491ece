import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { beginReport, beginReportOfFile, endReport } from './failure-report.ts';
import { removeFolders } from './folder.ts';
import { endProcesses } from './process.ts';
import { forgetRequests } from './request-report.ts';

// Vitest runs this before each test file. The files of a worker share their modules, so nothing of one file may be left
// in them when the next begins.

/** A folder may have an installation of npm with tens of thousands of files, which a busy disk removes in minutes. */
const REMOVAL_MS = 600_000;

beforeAll(() => beginReportOfFile());
beforeEach(({ task }) => {
  forgetRequests();
  beginReport(task);
});
afterEach(({ task }) => endReport(task));
afterAll(async () => {
  await endProcesses();
  removeFolders();
}, REMOVAL_MS);
