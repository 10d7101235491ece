import type { FastifyInstance } from 'fastify';
import { type Commands, catalogueTag } from '../../domain/commands.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Guilds } from '../../domain/guilds.ts';
import type { Actor, Guild } from '../../domain/model.ts';
import type { Records } from '../../domain/records.ts';
import type { Verifications } from '../../domain/verifications.ts';
import { addEndpoint } from '../endpoint.ts';
import { createBotGuard, type GuardParts } from '../guard.ts';
import {
  deleteDischarge,
  deleteTransfer,
  deleteVerification,
  postDischarge,
  postTransfer,
  putCommands,
  putDischarge,
  putGuild,
  putTransfer,
  putVerification,
  readCommands,
} from './bot-endpoints.ts';

/** There is one bot, the operator's own. */
export const BOT: Actor = { kind: 'bot', id: 'bot' };

export interface BotParts extends GuardParts {
  botToken: string;
  guilds: Guilds;
  records: Records;
  verifications: Verifications;
  commands: Commands;
}

/** The ways in for records. All writes are upserts by natural id, so that a bot may repeat them safely. */
export function addBotRoutes(app: FastifyInstance, parts: BotParts): void {
  const { guilds, records, verifications, commands } = parts;
  const guard = createBotGuard(parts.botToken, parts);

  addEndpoint(app, putGuild, guard, async ({ params, body }) => {
    assertSame(params, body);
    const { name, icon, ownerChatId, plan, planUntil, settings } = body;
    const guild = await guilds.set(
      {
        guildId: params.guildId,
        name,
        icon,
        ownerChatId,
        plan,
        planUntilMs: typeof planUntil === 'string' ? Date.parse(planUntil) : planUntil,
        overdraftAllowed: settings?.overdraftAllowed,
      },
      BOT,
    );
    return { success: true, data: toWire(guild) };
  });

  addDischargeRoutes(app, records, guard);
  addTransferRoutes(app, records, guard);

  addEndpoint(app, putVerification, guard, async ({ params, body }) => {
    assertSame(params, body);
    return { success: true, data: await verifications.verify({ ...body, chatId: params.chatId }, BOT) };
  });
  addEndpoint(app, deleteVerification, guard, async ({ params }) => {
    await verifications.forget(params.chatId, BOT);
    return { success: true, message: 'User deleted' };
  });

  addEndpoint(app, readCommands, guard, async (_request, reply) => {
    const list = await commands.list(undefined);
    reply.header('etag', `"${catalogueTag(list)}"`);
    return { success: true, data: list };
  });
  addEndpoint(app, putCommands, guard, async ({ body, headers }, reply) => {
    await commands.replace(body, BOT, tagOf(headers['if-match']));
    reply.header('etag', `"${catalogueTag(body)}"`);
    return { success: true, data: body };
  });
}

type Guard = ReturnType<typeof createBotGuard>;

function addDischargeRoutes(app: FastifyInstance, records: Records, guard: Guard): void {
  addEndpoint(app, putDischarge, guard, async ({ params: { guildId, dischargeId: id }, body }) => {
    assertSame({ id, guildId }, body);
    return { success: true, data: await records.putDischarge({ guildId, id }, body, BOT) };
  });
  addEndpoint(app, postDischarge, guard, async ({ params: { guildId }, body }) => {
    assertSame({ guildId, id: undefined }, body);
    return { success: true, data: await records.putDischarge({ guildId }, body, BOT) };
  });
  addEndpoint(app, deleteDischarge, guard, async ({ params: { guildId, dischargeId: id } }) => {
    await records.deleteDischarge({ guildId, id }, BOT);
    return { success: true, message: 'Discharge deleted' };
  });
}

function addTransferRoutes(app: FastifyInstance, records: Records, guard: Guard): void {
  addEndpoint(app, putTransfer, guard, async ({ params: { guildId, transferId: id }, body }) => {
    assertSame({ id, guildId }, body);
    return { success: true, data: await records.putTransfer({ guildId, id }, body, BOT) };
  });
  addEndpoint(app, postTransfer, guard, async ({ params: { guildId }, body }) => {
    assertSame({ guildId, id: undefined }, body);
    return { success: true, data: await records.putTransfer({ guildId }, body, BOT) };
  });
  addEndpoint(app, deleteTransfer, guard, async ({ params: { guildId, transferId: id } }) => {
    await records.deleteTransfer({ guildId, id }, BOT);
    return { success: true, message: 'Transfer deleted' };
  });
}

/** An id may stand in the body too, but then it must be the one in the address. */
function assertSame(address: Record<string, string | undefined>, body: object): void {
  const given: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(address)) {
    if (given[name] !== undefined && given[name] !== value) {
      throw new DomainError('invalid_input', { detail: `${name} in the body differs from the address` });
    }
  }
}

function tagOf(ifMatch: string | undefined): string | undefined {
  return ifMatch === undefined || ifMatch === '*'
    ? undefined
    : ifMatch.replace(/^W\//, '').replaceAll('"', '');
}

function toWire(guild: Guild): object {
  return {
    guildId: guild.guildId,
    name: guild.name,
    icon: guild.icon ?? null,
    ownerChatId: guild.ownerChatId ?? null,
    plan: guild.plan,
    planUntil: guild.planUntilMs === undefined ? null : new Date(guild.planUntilMs).toISOString(),
    settings: { overdraftAllowed: guild.overdraftAllowed },
    createdAt: new Date(guild.createdAtMs).toISOString(),
  };
}
