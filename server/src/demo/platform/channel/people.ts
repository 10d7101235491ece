import type { DemoOptions } from '../grants.ts';
import type { DemoCaller } from './application.ts';
import type { NameOf } from './markdown.ts';
import type { DemoAuthor } from './messages.ts';

const FOUND_MAX = 25;

export interface DemoPeople {
  guild: { guildId: string; name: string; icon?: string | undefined };
  /** The people in whose name one can write, with a description. */
  callers: readonly (DemoCaller & { about: string })[];
  nameOf: NameOf;
  /** Members of the guild whose names contain a text, the best matches first. */
  search(text: string): DemoAuthor[];
}

/** The people of the channel's guild, which is the first guild of the first person. */
export function createPeople(options: Pick<DemoOptions, 'people' | 'guilds' | 'newcomer'>): DemoPeople {
  const guild = options.people[0]?.guilds[0] ?? { guildId: '0', name: 'Guild' };
  const known = options.people.flatMap(({ chatId, username, about, avatar, guilds }) => {
    const own = guilds.find(({ guildId }) => guildId === guild.guildId);
    return own === undefined
      ? []
      : [{ chatId, username, about, avatar, permissions: own.permissions, roles: own.roles ?? [] }];
  });
  const { newcomer } = options;
  const callers = newcomer === undefined ? known : [...known, { ...newcomer, roles: [] }];
  const members: DemoAuthor[] = (
    options.guilds?.find(({ guildId }) => guildId === guild.guildId)?.members ?? []
  ).map(authorOf);
  const byId = new Map([...callers, ...members].map((member) => [member.chatId, member]));
  const all = [...byId.values()].map(authorOf);
  return {
    guild,
    callers,
    nameOf: (chatId) => byId.get(chatId)?.username,
    search(text) {
      const wanted = text.trim().replace(/^@/, '').toLowerCase();
      const place = ({ username }: DemoAuthor) => username.toLowerCase().indexOf(wanted);
      return all
        .filter((member) => place(member) >= 0)
        .toSorted((one, other) => Math.sign(place(one)) - Math.sign(place(other)))
        .slice(0, FOUND_MAX);
    },
  };
}

function authorOf({ chatId, username, avatar }: DemoAuthor): DemoAuthor {
  return { chatId, username, avatar };
}
