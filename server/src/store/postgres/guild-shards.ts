import type pg from 'pg';
import type { QueryConfig } from 'pg';

/** A worker of the cluster, from the coordinator's metadata. */
export interface WorkerNode {
  groupId: number;
  host: string;
  port: number;
  /** True when the worker knows where all shards are, so that it runs any statement of a guild. */
  isSynced: boolean;
  /** The hash values of the guilds that it has: first and last of each shard. */
  ranges: readonly (readonly [number, number])[];
}

const FIND_NODES = `SELECT n.groupid AS "groupId", n.nodename AS host, n.nodeport AS port,
    n.hasmetadata AND n.metadatasynced AS "isSynced",
    coalesce(json_agg(json_build_array(s.shardminvalue::int, s.shardmaxvalue::int)) FILTER (WHERE s.shardid IS NOT NULL), '[]') AS ranges
  FROM pg_dist_node AS n LEFT JOIN (pg_dist_placement AS p
    JOIN pg_dist_shard AS s ON s.shardid = p.shardid AND s.logicalrelid = 'guild_ledger'::regclass) ON p.groupid = n.groupid
  WHERE n.noderole = 'primary' AND n.isactive AND n.groupid <> 0 GROUP BY 1, 2, 3, 4 ORDER BY 1`;

/** Reads which workers have which guilds. */
export async function readWorkerNodes(
  query: (query: QueryConfig) => Promise<pg.QueryResult>,
): Promise<WorkerNode[]> {
  return (await query({ text: FIND_NODES })).rows;
}

/** The worker that has a guild's rows; undefined when the coordinator has them, or a worker that is disabled. */
export function findGuildNode<Node extends Pick<WorkerNode, 'ranges'>>(
  nodes: Iterable<Node>,
  guildNo: number,
): Node | undefined {
  const hash = hashGuildNo(guildNo);
  for (const node of nodes) {
    if (node.ranges.some(([first, last]) => first <= hash && hash <= last)) {
      return node;
    }
  }
  return undefined;
}

const INITIAL = (0x9e3779b9 + 4 + 3_923_095) | 0;

/**
 * PostgreSQL's hash of a bigint (`hashint8`), by which Citus finds the shard of a row. It never changes, because indexes and partitions
 * depend on it. For numbers from 0 on.
 */
export function hashGuildNo(guildNo: number): number {
  const low = (guildNo % 2 ** 32) | 0;
  const high = Math.floor(guildNo / 2 ** 32) | 0;
  let a = (INITIAL + (low ^ high)) | 0;
  let b = INITIAL;
  let c = INITIAL;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
