import { vi } from 'vitest';
import { LONG_TEST } from '../support/patience.ts';
import { createPostgresPlace } from './postgres-place.ts';
import { describeStoreProperties } from './store-suite.ts';

// Thousands of calls, each with a way to the server and back, on machines that have other things to do as well.
vi.setConfig({ testTimeout: LONG_TEST.timeout });

describeStoreProperties('PostgreSQL', () => createPostgresPlace());
