import { createSqlitePlace } from './sqlite-place.ts';
import { describeStoreProperties } from './store-suite.ts';

describeStoreProperties('SQLite', createSqlitePlace);
