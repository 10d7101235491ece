import { ANY_REQUEST } from '../../src/domain/access/key-requests.ts';
import type { GuildRef } from '../../src/domain/model.ts';
import { untilTrue } from '../support/patience.ts';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  type SignedInBrowser,
} from './dashboard-service.ts';

/** How often the service writes the log in these tests. */
export const FLUSH_MS = 50;

/** A request of the log in an answer. */
export interface Logged {
  requestId: string;
  keyId: string;
  route: string;
  path: string;
  status: number;
  code: string | null;
  message: string | null;
  userAgent: string;
}

interface Surroundings {
  service: DashboardService;
  /** Somebody who manages the guild's keys; asked each time, because sessions end. */
  manager: () => SignedInBrowser;
}

export async function findGuild(service: DashboardService): Promise<GuildRef> {
  return (await service.store.guilds.find(GUILD)) ?? { guildNo: -1, guildId: GUILD };
}

/** A new key, with functions that send requests with it and read its log. */
export async function makeLoggedKey({ service, manager }: Surroundings, changes: object) {
  const scopes = ['guild:read', 'guild:write', 'users:read'];
  const order = keyOrder(service, { scopes, ...changes });
  const { body } = await manager().change('POST', keysPath(GUILD), order);
  const id = body.data.id as string;
  const value = body.data.key as string;
  const send = (method: string, url: string, payload?: object, headers: Record<string, string> = {}) => {
    // Requests at different times have an order.
    service.clock.advance(1);
    return service.fetch(`${service.address}${url}`, {
      method,
      headers: { 'x-api-key': value, ...(payload && { 'content-type': 'application/json' }), ...headers },
      ...(payload && { body: JSON.stringify(payload) }),
    });
  };
  const logged = async (query = ''): Promise<Logged[]> =>
    (await manager().go(`/dashboard/api/guilds/${GUILD}/requests?keyId=${id}&limit=100${query}`)).body.data
      .requests;
  const countStored = async () =>
    (await service.store.requests.list(await findGuild(service), { ...ANY_REQUEST, keyId: id, limit: 1_000 }))
      .length;
  /** Waits until the log has this number of requests. */
  const waitFor = async (count: number) => {
    // Asks the store, because the number of a person's requests is limited.
    await untilTrue(async () => (await countStored()) >= count);
    return logged();
  };
  return { id, value, path: `${keysPath(GUILD)}/${id}`, send, logged, waitFor };
}
