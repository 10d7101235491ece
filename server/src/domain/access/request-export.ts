import type { GuildRef } from '../guild-ref.ts';
import type { KeyStore } from '../ports.ts';
import type { ListedRequest, RequestFilter, RequestPlace, RequestStore } from './key-requests.ts';

/** A request in an export, with the name that its key has now. */
export interface ExportedRequest extends ListedRequest {
  guildId: string;
  keyName: string;
}

/** Requests that are read at once. They stay in memory while the receiver takes them. */
const PAGE_SIZE = 500;

/** Reads the requests of a guild that match, newest first. Later requests are not among them. */
export async function* readRequests(
  { requests, keys }: { requests: RequestStore; keys: Pick<KeyStore, 'list'> },
  guild: GuildRef,
  filter: RequestFilter,
): AsyncGenerator<ExportedRequest> {
  const names = new Map((await keys.list(guild)).map(({ keyId, name }) => [keyId, name]));
  let before: RequestPlace | undefined;
  let page: ListedRequest[];
  do {
    page = await requests.list(guild, { ...filter, before, limit: PAGE_SIZE });
    for (const request of page) {
      yield { ...request, guildId: guild.guildId, keyName: names.get(request.keyId) ?? '' };
    }
    before = page.at(-1);
  } while (page.length === PAGE_SIZE);
}
