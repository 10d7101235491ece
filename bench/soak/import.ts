import { GUILD_ID } from '../support/ledger-file.ts';

const ROWS = 5_000;
const PLAYERS = 50;

/** Sends new past transactions through the bot's route, other ones in each round, and returns how many were created. */
export async function sendImport(address: string, botToken: string, round: number): Promise<number> {
  const startMs = Date.now();
  const lines = Array.from({ length: ROWS }, (_unused, index) =>
    JSON.stringify({
      guildId: GUILD_ID,
      // Accounts of its own in each round, because an account takes nothing older than its last transaction.
      playerId: `imported-${round}-${index % PLAYERS}`,
      transactionId: `019b0000-${hex(round, 4)}-7000-8000-${hex(index, 12)}`,
      name: 'Iron Ingot',
      quantity: 1,
      amount: 2.5,
      total: 2.5,
      source: 'import',
      createdAt: new Date(startMs + index).toISOString(),
    }),
  );
  const answer = await fetch(`${address}/bot/import/transactions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  const text = await answer.text();
  const created = text.split('\n').filter((line) => line.includes('"created"')).length;
  if (answer.status !== 200 || created !== ROWS) {
    throw new Error(
      `an import of ${ROWS} was answered with ${answer.status}, ${created} created: ${text.slice(0, 300)}`,
    );
  }
  return created;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
