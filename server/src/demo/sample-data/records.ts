import type { Discharge, Transfer, Verification } from '../../domain/model.ts';
import { DISCHARGE_KINDS } from './discharge-reasons.ts';
import type { Roster } from './people.ts';
import type { Random } from './random.ts';
import { createWeightedPicker } from './random.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// A few days short of two years, so that a record is still inside them when its time of day is cut off.
const OLDEST_DAYS = 725;
const DISCHARGE_COUNT = 180;
const TRANSFER_COUNT = 140;
const REST_AFTER_TRANSFER_MS = 45 * DAY_MS;
const REST_AFTER_DISCHARGE_MS = 150 * DAY_MS;
const DRAWS_MAX = 40;

export interface ServiceRecords {
  discharges: Discharge[];
  transfers: Transfer[];
}

/** Walks through each guild's two years in order, so that a person leaves the unit they were last in. */
export function createServiceRecords(from: {
  rosters: Roster[];
  nowMs: number;
  random: Random;
}): ServiceRecords {
  const records: ServiceRecords = { discharges: [], transfers: [] };
  const drawId = createIdSource(from.random);
  for (const roster of from.rosters) {
    const careers = startCareers({ roster, random: from.random });
    for (const event of createEvents({ roster, nowMs: from.nowMs, random: from.random })) {
      const career = chooseCareer({ careers, atMs: event.atMs, random: from.random });
      const turn: Turn = { roster, career, atMs: event.atMs, random: from.random };
      if (event.kind === 'discharge') records.discharges.push(discharge(turn, drawId('dis')));
      else records.transfers.push(transfer(turn, drawId('trf')));
    }
  }
  return records;
}

interface Career {
  person: Verification;
  unit: string;
  restsUntilMs: number;
}

interface Turn {
  roster: Roster;
  career: Career;
  atMs: number;
  random: Random;
}

function discharge({ roster, career, atMs, random }: Turn, id: string): Discharge {
  const kind = pickKind(random);
  const from = career.unit;
  // A person who appears again later has returned, not always to the same unit.
  career.unit = random.pick(roster.units);
  career.restsUntilMs = kind.isFinal ? Number.POSITIVE_INFINITY : atMs + REST_AFTER_DISCHARGE_MS;
  const iso = new Date(atMs).toISOString();
  return {
    id,
    guildId: roster.guild.guildId,
    chatId: career.person.chatId,
    playerId: career.person.playerId,
    name: career.person.username,
    reason: fillReason({ template: random.pick(kind.reasons), unit: from, roster, random }),
    date: random.chance(0.08) ? iso : iso.slice(0, 10),
    type: kind.type,
    from,
    signed: random.pick(roster.officers).username,
  };
}

function transfer({ roster, career, atMs, random }: Turn, id: string): Transfer {
  const from = career.unit;
  career.unit = random.pick(roster.units.filter((unit) => unit !== from));
  career.restsUntilMs = atMs + REST_AFTER_TRANSFER_MS;
  return {
    id,
    guildId: roster.guild.guildId,
    playerId: career.person.playerId,
    name: career.person.username,
    date: new Date(atMs).toISOString(),
    from,
    to: career.unit,
    signed: random.pick(roster.officers).username,
  };
}

const pickKind = createWeightedPicker(DISCHARGE_KINDS, (kind) => kind.weight);

function fillReason(from: { template: string; unit: string; roster: Roster; random: Random }): string {
  const { template, unit, roster, random } = from;
  return template
    .replace('{unit}', unit)
    .replace('{officer}', random.pick(roster.officers).username)
    .replace('{months}', String(random.integer({ min: 4, max: 38 })))
    .replace('{days}', String(random.integer({ min: 21, max: 90 })))
    .replace('{count}', String(random.integer({ min: 3, max: 24 })));
}

function startCareers({ roster, random }: { roster: Roster; random: Random }): Career[] {
  return roster.others.map((person) => ({ person, unit: random.pick(roster.units), restsUntilMs: 0 }));
}

/** Skips people who were just moved or have left permanently, unless a small guild has run out of people. */
function chooseCareer(from: { careers: Career[]; atMs: number; random: Random }): Career {
  let career = from.random.pick(from.careers);
  for (let count = 1; count < DRAWS_MAX && career.restsUntilMs > from.atMs; count += 1) {
    career = from.random.pick(from.careers);
  }
  return career;
}

function createEvents(from: { roster: Roster; nowMs: number; random: Random }) {
  const timesOf = (count: number) =>
    Array.from({ length: Math.round(count * from.roster.share) }, () => drawEveningMs(from));
  return [
    ...timesOf(DISCHARGE_COUNT).map((atMs) => ({ kind: 'discharge' as const, atMs })),
    ...timesOf(TRANSFER_COUNT).map((atMs) => ({ kind: 'transfer' as const, atMs })),
  ].sort((left, right) => left.atMs - right.atMs);
}

/** Officers do their paperwork in the evening, on whole seconds, at the latest yesterday. */
function drawEveningMs({ nowMs, random }: { nowMs: number; random: Random }): number {
  const today = Math.floor(nowMs / DAY_MS);
  const day = today - random.integer({ min: 1, max: OLDEST_DAYS });
  return day * DAY_MS + random.integer({ min: 16 * 3600, max: 23 * 3600 }) * 1000;
}

function createIdSource(random: Random): (prefix: string) => string {
  const used = new Set<string>();
  return (prefix) => {
    for (let count = 0; count < DRAWS_MAX; count += 1) {
      // No i, l, o or u, which are easily misread when an identifier is typed by hand.
      const id = `${prefix}_${random.text({ alphabet: '0123456789abcdefghjkmnpqrstvwxyz', length: 10 })}`;
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
    throw new RangeError(`no unused identifier in ${DRAWS_MAX} draws`);
  };
}
