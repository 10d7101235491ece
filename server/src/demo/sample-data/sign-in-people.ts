import { createRosters, type Roster } from './people.ts';
import { samplePicture } from './pictures.ts';
import { createRandom } from './random.ts';

/** A person to sign in as, with their guilds on the demo's chat platform. */
export interface SignInPerson {
  chatId: string;
  username: string;
  /** A description for the sign-in page. */
  about: string;
  /** The hash of their picture. */
  avatar?: string | undefined;
  guilds: SignInGuild[];
}

export interface SignInGuild {
  guildId: string;
  name: string;
  icon?: string | undefined;
  owner: boolean;
  /** A decimal bit field. */
  permissions: string;
  /** The ids of the person's chat roles. */
  roles?: string[];
}

const ADMINISTRATOR = '8';
const MANAGE_GUILD = '32';
/**
 * The permissions of an ordinary member on a real platform: many bits, more than a double holds, and none that
 * matters here.
 */
const MEMBER = '1152991873351093249';
const EVERYTHING = '1152921504606846975';
/** A guild of the chat platform that the service does not know. */
const UNKNOWN_GUILD = { guildId: '1093847561029384756', name: 'The Quiet Corner' };

/** A role on the chat platform that gives a role here. */
export const SAMPLE_CHAT_ROLE = {
  chatRoleId: '1204518837462093851',
  name: 'Quartermaster',
  role: 'treasurer',
} as const;

/** Somebody in the chat of the first guild whom the service does not know. */
export const NEWCOMER = {
  chatId: '1204518837462093899',
  username: 'fenwick_the_new',
  about: 'has just joined and is not verified',
  permissions: MEMBER,
} as const;

/** The people of the same seed's sample data that one can sign in as: every kind of right once. */
export function createSignInPeople({ seed }: { seed: number }): SignInPerson[] {
  // The same stream as the sample data, so that these are the same people.
  const rosters = createRosters(createRandom({ seed, stream: 1 }));
  const [first, second] = rosters;
  const planless = rosters.find(({ guild }) => guild.plan === 'none');
  if (first === undefined || second === undefined || planless === undefined) {
    throw new RangeError('the sample data lacks a guild of some kind');
  }
  const { name } = first.guild;
  return [
    {
      ...personOf(first, 0),
      about: `owner of ${name}`,
      guilds: [
        guildOf(first, { owner: true, permissions: EVERYTHING }),
        guildOf(second, { owner: false, permissions: MEMBER }),
        { ...UNKNOWN_GUILD, owner: true, permissions: EVERYTHING },
      ],
    },
    {
      ...personOf(first, 1),
      about: `administrator of ${name}`,
      guilds: [guildOf(first, { owner: false, permissions: ADMINISTRATOR })],
    },
    {
      ...personOf(first, 2),
      about: `may manage ${name}`,
      guilds: [guildOf(first, { owner: false, permissions: MANAGE_GUILD })],
    },
    {
      ...personOf(first, first.officers.length),
      about: `member of ${name} without rights, who sees their own account`,
      guilds: [guildOf(first, { owner: false, permissions: MEMBER })],
    },
    {
      ...personOf(planless, 0),
      about: `owner of ${planless.guild.name}, which has no plan`,
      guilds: [guildOf(planless, { owner: true, permissions: EVERYTHING })],
    },
    {
      ...personOf(first, first.officers.length + 1),
      about: `treasurer of ${name}, by a chat role`,
      guilds: [guildOf(first, { owner: false, permissions: MEMBER, roles: [SAMPLE_CHAT_ROLE.chatRoleId] })],
    },
  ];
}

/** Officers come first, and the first officer owns the guild. */
function personOf(roster: Roster, index: number): Pick<SignInPerson, 'chatId' | 'username' | 'avatar'> {
  const person = [...roster.officers, ...roster.others][index];
  if (person === undefined) {
    throw new RangeError(`${roster.guild.name} has too few people`);
  }
  return { chatId: person.chatId, username: person.username, avatar: avatarOf(roster, person.chatId) };
}

/** Officers have a picture, most others too. */
function avatarOf({ officers }: Roster, chatId: string): string | undefined {
  return samplePicture(chatId, officers.some((officer) => officer.chatId === chatId) ? 1 : undefined);
}

function guildOf({ guild }: Roster, rights: Omit<SignInGuild, 'guildId' | 'name'>): SignInGuild {
  const { guildId, name } = guild;
  return { guildId, name, icon: guild.plan === 'none' ? undefined : samplePicture(guildId, 1), ...rights };
}

/** The chat roles of the sample guilds that are not rights here. */
const OFFICER_ROLE = { id: '1204518837462093852', name: 'Officers' };
const RAID_ROLE = { id: '1204518837462093853', name: 'Raid team' };
/** One in eight of the other members is in the raid team. */
const RAID_EVERY = 8;

/** The roles and members of the same seed's guilds, as a bot of the chat platform sees them. */
export function createChatGuilds({ seed }: { seed: number }) {
  return createRosters(createRandom({ seed, stream: 1 })).map(({ guild, officers, others }) => ({
    guildId: guild.guildId,
    roles: [{ id: SAMPLE_CHAT_ROLE.chatRoleId, name: SAMPLE_CHAT_ROLE.name }, OFFICER_ROLE, RAID_ROLE],
    members: [
      ...officers.map(({ chatId, username }) => ({
        chatId,
        username,
        avatar: samplePicture(chatId, 1),
        roles: [OFFICER_ROLE.id],
      })),
      ...others.map(({ chatId, username }, index) => ({
        chatId,
        username,
        avatar: samplePicture(chatId),
        roles: [
          ...(index === 1 ? [SAMPLE_CHAT_ROLE.chatRoleId] : []),
          ...(index % RAID_EVERY === 0 ? [RAID_ROLE.id] : []),
        ],
      })),
    ],
  }));
}
