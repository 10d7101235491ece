import type { GuildbookClient } from '@guildbook/client';

type Payout = { messageId: string; amount: number; chatIds: string[] };

/** `/payout 50 @rowan @kestrel` pays each member and shows the new balances. */
export async function payout(guildbook: GuildbookClient, { messageId, amount, chatIds }: Payout) {
  const lines: string[] = [];
  for (const chatId of chatIds) {
    const { playerId, username } = await guildbook.getUser(`chat:${chatId}`);
    const { balance } = await guildbook.postTransaction(
      { playerId, name: 'Payout', quantity: 1, amount, source: 'payout', deposit: true },
      { idempotencyKey: `payout ${messageId} ${chatId}` },
    );
    lines.push(`${username} now has ${balance}.`);
  }
  return lines.join('\n');
}
