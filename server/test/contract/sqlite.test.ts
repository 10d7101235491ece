import { createSqlitePlace } from './sqlite-place.ts';
import { describeStore } from './store-suite.ts';

describeStore('SQLite', createSqlitePlace);
