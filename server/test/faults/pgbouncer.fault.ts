import { createPostgresPlace } from '../contract/postgres-place.ts';
import { describeStore, describeStoreProperties } from '../contract/store-suite.ts';
import { startPgBouncer } from '../postgres/pgbouncer.ts';

let pooler: ReturnType<typeof startPgBouncer> | undefined;

/** A place whose stores reach their database through PgBouncer in transaction mode. */
function createPooledPlace() {
  return createPostgresPlace(async ({ url, name }) => {
    pooler ??= startPgBouncer(url);
    return (await pooler).url(name);
  });
}

describeStore('PostgreSQL behind PgBouncer', createPooledPlace);
describeStoreProperties('PostgreSQL behind PgBouncer', createPooledPlace);
