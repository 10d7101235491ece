import type { PastUser, Verification } from '../../domain/model.ts';
import type { GuildPlan } from './guild-plans.ts';
import { GUILD_PLANS } from './guild-plans.ts';
import {
  ANIMALS,
  BELONGINGS,
  DOER_WORDS,
  FAMILY_NAMES,
  GIVEN_NAMES,
  MANNERS,
  NATURE_WORDS,
  PLACES,
  TITLES,
} from './name-words.ts';
import type { Random } from './random.ts';
import type { SampleGuild } from './types.ts';

const MEMBER_COUNT = 320;
const PAST_USERS_SHARE = 0.15;
const USERNAME_LENGTH_MAX = 20;
const DRAWS_MAX = 1000;

/** One guild with its people. Officers sign records; the first officer owns the guild. */
export interface Roster {
  guild: SampleGuild;
  share: number;
  units: readonly string[];
  officers: Verification[];
  others: Verification[];
}

export function createRosters(random: Random): Roster[] {
  const identities = createIdentities(random);
  return GUILD_PLANS.map((guildPlan) => createRoster({ guildPlan, identities, random }));
}

interface Identities {
  chatId(): string;
  account(): PastUser;
}

function createRoster(from: { guildPlan: GuildPlan; identities: Identities; random: Random }): Roster {
  const { guildPlan, identities, random } = from;
  const guildId = identities.chatId();
  const people = Array.from({ length: Math.round(MEMBER_COUNT * guildPlan.share) }, () =>
    createVerification({ identities, random }),
  );
  const [owner] = people;
  if (owner === undefined) throw new RangeError(`no people for ${guildPlan.name}`);
  return {
    guild: { guildId, name: guildPlan.name, ownerChatId: owner.chatId, plan: guildPlan.plan },
    share: guildPlan.share,
    units: guildPlan.units,
    officers: people.slice(0, guildPlan.officerCount),
    others: people.slice(guildPlan.officerCount),
  };
}

function createVerification(from: { identities: Identities; random: Random }): Verification {
  const { identities, random } = from;
  const pastCount = random.chance(PAST_USERS_SHARE) ? random.integer({ min: 1, max: 3 }) : 0;
  return {
    chatId: identities.chatId(),
    ...identities.account(),
    pastUsers: Array.from({ length: pastCount }, () => identities.account()),
  };
}

/** Hands out identifiers and usernames, each only once in the whole sample. */
function createIdentities(random: Random): Identities {
  const chatIds = new Set<string>();
  const playerIds = new Set<string>();
  const usernames = new Set<string>();
  return {
    chatId: () => drawUnused({ draw: () => drawSnowflake(random), used: chatIds }),
    account: () => ({
      playerId: drawUnused({
        draw: () => drawDigits({ random, lengthMin: 8, lengthMax: 10 }),
        used: playerIds,
      }),
      username: drawUnused({ draw: () => drawUsername(random), used: usernames }),
    }),
  };
}

/** Differences in letter case do not make a draw new: people would mix up such usernames. */
function drawUnused({ draw, used }: { draw: () => string; used: Set<string> }): string {
  for (let count = 0; count < DRAWS_MAX; count += 1) {
    const drawn = draw();
    if (used.has(drawn.toLowerCase())) continue;
    used.add(drawn.toLowerCase());
    return drawn;
  }
  throw new RangeError(`nothing unused in ${DRAWS_MAX} draws`);
}

/** Ids of chat platforms begin with a time, so the longest ones of today all begin with 1. */
function drawSnowflake(random: Random): string {
  return random.chance(0.35)
    ? `1${random.text({ alphabet: '0123456789', length: 18 })}`
    : drawDigits({ random, lengthMin: 17, lengthMax: 18 });
}

function drawDigits(from: { random: Random; lengthMin: number; lengthMax: number }): string {
  const length = from.random.integer({ min: from.lengthMin, max: from.lengthMax });
  const first = from.random.text({ alphabet: '123456789', length: 1 });
  return first + from.random.text({ alphabet: '0123456789', length: length - 1 });
}

function drawUsername(random: Random): string {
  for (let count = 0; count < DRAWS_MAX; count += 1) {
    const username = random.pick(USERNAME_STYLES)(random);
    if (username.length <= USERNAME_LENGTH_MAX) return username;
  }
  throw new RangeError(`no short username in ${DRAWS_MAX} draws`);
}

const USERNAME_STYLES: readonly ((random: Random) => string)[] = [
  (random) => `${random.pick(GIVEN_NAMES)}_${random.pick(FAMILY_NAMES)}`,
  (random) => `${random.pick(GIVEN_NAMES)}${random.pick(FAMILY_NAMES)}`,
  (random) => `${random.pick(NATURE_WORDS)}${random.pick(DOER_WORDS)}${drawNumber(random)}`,
  (random) => `${random.pick(NATURE_WORDS)}${random.pick(DOER_WORDS)}`,
  (random) => `${random.pick(ANIMALS)}${random.pick(BELONGINGS)}`,
  (random) =>
    `${random.pick(TITLES)}${random.pick(GIVEN_NAMES)}${random.chance(0.4) ? drawNumber(random) : ''}`,
  (random) => `${random.pick(GIVEN_NAMES)}_of_${random.pick(PLACES)}`.toLowerCase(),
  (random) => `${random.pick(MANNERS)}_${random.pick(ANIMALS)}`.toLowerCase(),
  (random) => `${random.pick(MANNERS)}${random.pick(ANIMALS)}${drawNumber(random)}`.toLowerCase(),
];

function drawNumber(random: Random): string {
  return String(
    random.chance(0.8) ? random.integer({ min: 2, max: 99 }) : random.integer({ min: 100, max: 999 }),
  );
}
