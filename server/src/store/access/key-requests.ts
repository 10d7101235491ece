import {
  ALL_KEPT,
  type ListedRequest,
  type NewKeyRequest,
  REFUSED_BEYOND,
  REFUSED_KEPT,
  type RequestQuery,
  type RequestStore,
} from '../../domain/access/key-requests.ts';
import type { GuildRef } from '../../domain/model.ts';
import { type Engine, inLane } from '../jobs.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';

const COLUMNS = {
  key_no: 'bigint',
  at: 'bigint',
  request_id: 'text',
  method: 'text',
  route: 'text',
  path: 'text',
  status: 'bigint',
  code: 'text',
  message: 'text',
  duration_ms: 'bigint',
  address: 'text',
  user_agent: 'text',
  is_of_all: 'bigint',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

// A retry of the same write changes nothing.
const ADD = statement(
  ({ rowsOf }) =>
    `INSERT INTO key_request (guild_no, ${NAMES})
     SELECT k.guild_no, ${Object.keys(COLUMNS)
       .map((name) => `r.${name}`)
       .join(', ')}
     FROM ${rowsOf('$1', 'r', COLUMNS)} JOIN api_key k USING (key_no) WHERE true ON CONFLICT DO NOTHING`,
);
// Most keys have few requests. A statement for each of those would take longer than all that is written.
const FIND_FULL = statement<{ keyNo: number; guildNo: number }>(
  ({ isOneOf }) =>
    `SELECT k.key_no AS "keyNo", k.guild_no AS "guildNo" FROM api_key k
       JOIN key_request r ON r.guild_no = k.guild_no AND r.key_no = k.key_no
     WHERE ${isOneOf('k.key_no', { value: '$1', type: 'bigint' })}
     GROUP BY k.guild_no, k.key_no HAVING count(*) > ${REFUSED_KEPT + REFUSED_BEYOND}`,
);
// The time of the last request that is kept, of each kind. One of the same millisecond is kept, too.
const lastKept = (condition: string, offset: number) =>
  `coalesce((SELECT at FROM key_request WHERE guild_no = $1 AND key_no = $2 AND ${condition}
     ORDER BY at DESC LIMIT 1 OFFSET ${offset - 1}), 0)`;
const TRIM = statement(
  `DELETE FROM key_request WHERE guild_no = $1 AND key_no = $2
     AND (code IS NULL OR at < ${lastKept('code IS NOT NULL', REFUSED_KEPT)})
     AND (is_of_all = 0 OR at < ${lastKept('is_of_all = 1', ALL_KEPT)})`,
);

type RequestRow = Omit<ListedRequest, 'code' | 'message'> & { code: string | null; message: string | null };

const SELECT = `SELECT k.key_id AS "keyId", r.request_id AS "requestId", r.at AS "atMs", r.method, r.route, r.path, r.status,
    r.code, r.message, r.duration_ms AS "durationMs", r.address, r.user_agent AS "userAgent"
  FROM key_request r JOIN api_key k ON k.key_no = r.key_no AND k.deleted_at IS NULL`;

export const REQUEST_WRITES = {
  addRequests: inLane((_: readonly NewKeyRequest[]) => 'key requests', addRequests),
};

export function createRequestStore(engine: Engine<typeof REQUEST_WRITES>): RequestStore {
  return {
    add: (requests) => engine.write('addRequests', requests),
    async list(guild, query) {
      const { conditions, values } = filterOf(guild, query);
      const shape = conditions.join(' AND ');
      const find = lists(
        shape,
        () => `${SELECT} WHERE ${shape} ORDER BY r.at DESC, r.request_id DESC LIMIT $${values.length + 1}`,
      );
      const rows = await engine.read.all(find, [...values, query.limit]);
      return rows.map(({ code, message, ...row }) => ({
        ...row,
        code: code ?? undefined,
        message: message ?? undefined,
      }));
    },
  };
}

const lists = statementsByShape<RequestRow>();

function filterOf({ guildNo }: GuildRef, query: RequestQuery) {
  const values: (number | string)[] = [];
  const at = (value: number | string) => `$${values.push(value)}`;
  const conditions = [`r.guild_no = ${at(guildNo)}`];
  const { keyId, isRefused, route, code, requestId, before } = query;
  if (keyId !== undefined) {
    conditions.push(`k.key_id = ${at(keyId)}`);
  }
  if (isRefused !== undefined) {
    conditions.push(`r.code IS ${isRefused ? 'NOT ' : ''}NULL`);
  }
  if (route !== undefined) {
    conditions.push(`r.route = ${at(route)}`);
  }
  if (code !== undefined) {
    conditions.push(`r.code = ${at(code)}`);
  }
  if (requestId !== undefined) {
    conditions.push(`r.request_id = ${at(requestId)}`);
  }
  if (before !== undefined) {
    conditions.push(`(r.at, r.request_id) < (${at(before.atMs)}, ${at(before.requestId)})`);
  }
  return { conditions, values };
}

async function addRequests(sql: Sql, requests: readonly NewKeyRequest[]): Promise<void> {
  if (requests.length === 0) {
    return;
  }
  await sql.run(ADD, [JSON.stringify(requests.map(toRow))]);
  const keyNos = [...new Set(requests.map(({ keyNo }) => keyNo))];
  for (const { keyNo, guildNo } of await sql.all(FIND_FULL, [keyNos])) {
    await sql.run(TRIM, [guildNo, keyNo]);
  }
}

function toRow(request: NewKeyRequest): Record<keyof typeof COLUMNS, string | number | null> {
  return {
    key_no: request.keyNo,
    at: request.atMs,
    request_id: request.requestId,
    method: request.method,
    route: request.route,
    path: request.path,
    status: request.status,
    code: request.code ?? null,
    message: request.message ?? null,
    duration_ms: request.durationMs,
    address: request.address,
    user_agent: request.userAgent,
    is_of_all: request.isOfAll ? 1 : 0,
  };
}
