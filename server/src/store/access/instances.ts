import {
  ANNOUNCEMENTS_KEPT_MS,
  type Announcement,
  type InstanceStore,
} from '../../domain/access/instances.ts';
import { type Engine, inLane } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';

const ANNOUNCE = statement(
  `INSERT INTO instance (instance_id, seen_at, state) VALUES ($1, $2, $3)
   ON CONFLICT (instance_id) DO UPDATE SET seen_at = excluded.seen_at, state = excluded.state`,
);
const FORGET = statement('DELETE FROM instance WHERE seen_at < $1');
const LIST = statement<Announcement>(
  'SELECT instance_id AS "instanceId", seen_at AS "seenAtMs", state FROM instance',
);

export const INSTANCE_WRITES = {
  announceInstance: inLane((_: Announcement) => 'instances', announce),
};

export function createInstanceStore({ read, write }: Engine<typeof INSTANCE_WRITES>): InstanceStore {
  return {
    announce: (instance) => write('announceInstance', instance),
    list: async () => read.all(LIST),
  };
}

async function announce(sql: Sql, { instanceId, seenAtMs, state }: Announcement): Promise<void> {
  await sql.run(FORGET, [seenAtMs - ANNOUNCEMENTS_KEPT_MS]);
  await sql.run(ANNOUNCE, [instanceId, seenAtMs, state]);
}
