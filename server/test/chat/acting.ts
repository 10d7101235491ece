import { changeAt, TESTER } from '../support/change.ts';
import { type ChatService, GUILD, ROWAN } from './chat-guild.ts';
import { interact, interactionOf, messageOf, OPTION, pressOf } from './fake-discord.ts';
import { choose } from './settings.ts';

export const member = (value: string) => ({ name: 'member', type: OPTION.member, value });
export const text = (name: string, value: string) => ({ name, type: OPTION.text, value });
export const amount = (value: unknown) => ({ name: 'amount', type: OPTION.number, value });
export const quantity = (value: unknown) => ({ name: 'quantity', type: OPTION.integer, value });
export const TREASURER = { chatId: '304', roles: ['778'] };
export const postOptions = (value: number, name = 'Prize') => [
  member(ROWAN.chatId),
  amount(value),
  quantity(2),
  text('name', name),
  text('source', 'event'),
];

/** Gives the members of a chat role the role treasurer. */
export async function appointTreasurers(service: ChatService): Promise<void> {
  const guild = await service.guilds.find(GUILD);
  const role = { chatRoleId: '778', name: 'Treasurers', role: 'treasurer' } as const;
  await service.store.roles.setChatRole(guild, role, changeAt(service.clock.nowMs()));
}

/** Members may pay, and balances may fall below zero. */
export async function makeUsual(service: ChatService): Promise<void> {
  await choose(service, { membersPay: true });
  await service.guilds.set({ guildId: GUILD, overdraftAllowed: true }, TESTER);
}

type Answer = Awaited<ReturnType<typeof interact>>;

/** Steps and questions of tests that change something. */
export function actingWith(current: () => ChatService) {
  const press = (who: { chatId: string }, action: string, guildId = GUILD) => {
    current().clock.advance(10_001);
    return interact(current(), interactionOf(guildId, who, pressOf(action)));
  };
  const actionOf = (answer: Answer, label: string) =>
    messageOf(answer).components?.[0]?.components.find((one) => one.label === label)?.custom_id ?? '';
  const balanceOf = async (playerId: string) => {
    const account = await current().store.entries.account(await current().guilds.find(GUILD), playerId);
    return account.balanceUnits / 10_000;
  };
  const setBalance = async (playerId: string, target: number) => {
    const difference = target - (await balanceOf(playerId));
    if (difference !== 0) {
      await current().post({ playerId, amount: difference, quantity: 1 });
    }
  };
  const newestOf = async (playerId: string) =>
    (
      await current().store.entries.history(await current().guilds.find(GUILD), {
        playerId,
        limit: 1,
        before: undefined,
        source: undefined,
        minUnits: undefined,
        maxUnits: undefined,
        sinceMs: undefined,
        untilMs: undefined,
        reference: undefined,
        namePrefix: undefined,
      })
    ).entries[0];
  return { press, actionOf, balanceOf, setBalance, newestOf };
}
