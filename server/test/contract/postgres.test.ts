import { createPostgresPlace } from './postgres-place.ts';
import { describeStore } from './store-suite.ts';

describeStore('PostgreSQL', () => createPostgresPlace());
