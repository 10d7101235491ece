import { createHash, randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import express from 'express';

// Three endpoints of the interface in the way that the guides of Express and better-sqlite3 show: middleware for the key,
// prepared statements, one SQLite transaction for each post. It answers the same JSON as the service.

const UNITS = 10_000;
const LIMIT_DEFAULT = 20;

const db = new Database(process.env.DATABASE_FILE);
db.pragma('journal_mode = WAL');
// An acknowledged post survives a power cut, as in the service.
db.pragma('synchronous = FULL');

const findKey = db.prepare('SELECT guild_id AS guildId FROM api_key WHERE hash = ?');
const findDischarge = db.prepare(
  `SELECT id, guild_id AS guildId, chat_id AS chatId, player_id AS playerId, name, reason, date, type,
     origin AS "from", signed
   FROM discharge WHERE guild_id = ? AND id = ?`,
);
const countTransactions = db
  .prepare('SELECT transaction_count FROM account WHERE guild_id = ? AND player_id = ?')
  .pluck();
const listTransactions = db.prepare(
  `SELECT id AS transactionId, amount, quantity, name, source, total, created_at AS createdAt
   FROM ledger_transaction WHERE guild_id = ? AND player_id = ?
   ORDER BY created_at DESC LIMIT ? OFFSET ?`,
);
const moveAccount = db.prepare(
  `INSERT INTO account VALUES (?, ?, ?, 1)
   ON CONFLICT DO UPDATE SET balance = balance + excluded.balance, transaction_count = transaction_count + 1`,
);
const insertTransaction = db.prepare('INSERT INTO ledger_transaction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');

const post = db.transaction((guildId, { playerId, amount, quantity, name, source }) => {
  const units = Math.round(amount * UNITS);
  const total = units * quantity;
  moveAccount.run(guildId, playerId, total);
  insertTransaction.run(randomUUID(), guildId, playerId, units, quantity, name, source, total, Date.now());
});

function requireKey(request, response, next) {
  const hash = createHash('sha256')
    .update(request.get('x-api-key') ?? '')
    .digest();
  const key = findKey.get(hash);
  if (key === undefined) {
    response.status(401).json({ success: false, message: 'Unauthorized - invalid API key' });
    return;
  }
  request.guildId = key.guildId;
  next();
}

function isTransaction({ playerId, amount, quantity, name, source }) {
  return (
    [playerId, name, source].every((text) => typeof text === 'string' && text !== '') &&
    Number.isFinite(amount) &&
    Number.isInteger(quantity) &&
    quantity >= 1
  );
}

const app = express();

app.get('/readyz', (_request, response) => {
  response.json({ status: 'ready' });
});

app.get('/guild/discharges/:dischargeId', requireKey, (request, response) => {
  const data = findDischarge.get(request.guildId, request.params.dischargeId);
  if (data === undefined) {
    response.status(404).json({ success: false, message: 'Discharge not found' });
    return;
  }
  response.json({ success: true, data });
});

app.get('/guild/ledger/:playerId/transactions', requireKey, (request, response) => {
  const { playerId } = request.params;
  const page = Number(request.query.page ?? 1);
  const limit = Number(request.query.limit ?? LIMIT_DEFAULT);
  const total = countTransactions.get(request.guildId, playerId) ?? 0;
  const rows = listTransactions.all(request.guildId, playerId, limit, (page - 1) * limit);
  const transactions = rows.map((row) => ({
    ...row,
    amount: row.amount / UNITS,
    total: row.total / UNITS,
    createdAt: new Date(row.createdAt).toISOString(),
  }));
  response.json({
    success: true,
    data: { playerId, transactions },
    pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
  });
});

app.post('/guild/ledger', requireKey, express.json(), (request, response) => {
  if (!isTransaction(request.body)) {
    response.status(400).json({ success: false, message: 'Bad request - missing required fields' });
    return;
  }
  post.immediate(request.guildId, request.body);
  const type = request.body.amount > 0 ? 'deposit' : 'withdrawal';
  response.json({ success: true, message: `Transaction Posted (${type})`, type });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
