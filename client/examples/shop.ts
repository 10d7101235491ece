import { type GuildbookClient, GuildbookError } from '@guildbook/client';

type Order = { id: string; playerId: string; item: string; price: number };

/** Sells an item. The service itself refuses what the player cannot afford, so nobody can slip in between. */
export async function sell(guildbook: GuildbookClient, { id, playerId, item, price }: Order) {
  try {
    const { balance } = await guildbook.postTransaction(
      { playerId, name: item, quantity: 1, amount: -price, source: 'shop', withdrawal: true },
      { idempotencyKey: `order ${id}` },
    );
    return `You bought ${item} and have ${balance} left.`;
  } catch (error) {
    if (error instanceof GuildbookError && error.kind === 'overdraft') {
      return `You cannot afford ${item}.`;
    }
    throw error;
  }
}
