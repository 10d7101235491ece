import { vi } from 'vitest';
import { LONG_TEST } from '../support/patience.ts';
import { createSqlitePlace } from './sqlite-place.ts';
import { describeStoreProperties } from './store-suite.ts';

vi.setConfig({ testTimeout: LONG_TEST.timeout });

describeStoreProperties('SQLite', createSqlitePlace);
