import { expect, test } from 'vitest';
import { FAILING_COUNTS_AFTER_MS, RETRY_AFTER_MS } from '../../src/domain/webhooks/retries.ts';
import { createTestClock } from '../support/clock.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild, type StartWebhookService } from './webhook-guild.ts';

/** Longer than any test: an endpoint that hangs does so until the service stops. */
const FOREVER_MS = 3_600_000;
const GUILDS = 7;
const ENDPOINTS_PER_GUILD = 10;
/** Endpoints of one process that have failed for a minute and are delivered to at once. */
const FAILING_SLOTS_MAX = 64;

/** Endpoints of others that never answer, on whichever store. */
export function describeWebhookFairness(start: StartWebhookService): void {
  test.each(['standard', 'discord'] as const)(
    `${GUILDS * ENDPOINTS_PER_GUILD} hanging endpoints of the kind %s leave others their deliveries`,
    LONG_TEST,
    async (kind) => {
      const service = await start(ALLOWED, {
        clock: createTestClock(Date.now()),
        webhooks: { timeoutMs: FOREVER_MS },
      });
      try {
        const hanging = await startReceiver(() => {});
        const guilds = await Promise.all(Array.from({ length: GUILDS }, () => createGuild(service)));
        for (const guild of guilds) {
          for (let count = 0; count < ENDPOINTS_PER_GUILD; count += 1) {
            await guild.create(hanging, { kind });
          }
          await guild.post();
        }
        // Each guild has taken what it can get before the others come.
        await untilTrue(() => hanging.deliveries.length >= GUILDS);

        const standard = await startReceiver();
        const chat = await startReceiver();
        const healthy = await createGuild(service);
        await healthy.create(standard);
        await healthy.create(chat, { kind: 'discord' });
        const transactionId = await healthy.post();
        await standard.until(1);
        await chat.until(1);
        expect(standard.deliveries[0]?.json.data.transactionId).toBe(transactionId);
      } finally {
        await service.stop();
      }
    },
  );

  test(
    'a receiver that failed once is not left behind endpoints that have failed for long',
    LONG_TEST,
    async () => {
      const service = await start(ALLOWED, {
        clock: createTestClock(Date.now()),
        webhooks: { timeoutMs: FOREVER_MS },
      });
      try {
        let hanging = 0;
        let isHanging = false;
        const failing = await startReceiver((response) => {
          if (isHanging) {
            hanging += 1;
          } else {
            response.writeHead(500).end();
          }
        });
        const guilds = await Promise.all(Array.from({ length: 17 }, () => createGuild(service)));
        const ids = new Map<(typeof guilds)[number], string[]>();
        for (const guild of guilds) {
          const created: string[] = [];
          for (let count = 0; count < 4; count += 1) {
            created.push((await guild.create(failing)).id);
          }
          ids.set(guild, created);
          await guild.post();
        }
        // Each failure is stored by then, with a time before the clock is advanced.
        for (const [guild, created] of ids) {
          for (const id of created) {
            await guild.untilAttempts(id, 1);
          }
        }
        isHanging = true;
        service.clock.advance(FAILING_COUNTS_AFTER_MS);
        await Promise.all(guilds.map((guild) => guild.post()));
        // An endpoint whose turn had not ended when the clock was advanced rests first, until the time of its lease or its pause. Or it
        // hangs in another slot, besides these.
        await untilTrue(() => {
          service.clock.advance(50);
          return hanging >= FAILING_SLOTS_MAX;
        });

        const receiver = await startReceiver((response, _delivery, number) =>
          response.writeHead(number === 1 ? 503 : 204).end(),
        );
        const healthy = await createGuild(service);
        const { id } = await healthy.create(receiver);
        await healthy.post();
        await healthy.untilAttempts(id, 1);
        service.clock.advance(RETRY_AFTER_MS[0] ?? 0);
        await receiver.until(2);
      } finally {
        await service.stop();
      }
    },
  );

  test('all channels of a guild that has nothing but channels get their messages', async () => {
    const service = await start(ALLOWED, { clock: createTestClock(Date.now()) });
    try {
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      for (let count = 0; count < ENDPOINTS_PER_GUILD; count += 1) {
        await guild.create({ url: `${receiver.url}/${count}/token` }, { kind: 'discord' });
      }
      await guild.post();
      await untilTrue(() => {
        // Time passes while they collect events.
        service.clock.advance(10);
        return new Set(receiver.deliveries.map(({ path }) => path)).size === ENDPOINTS_PER_GUILD;
      });
    } finally {
      await service.stop();
    }
  });

  test('an endpoint that does not answer is left alone longer and longer, and others of its guild are not', async () => {
    const service = await start(ALLOWED, {
      clock: createTestClock(Date.now()),
      webhooks: { timeoutMs: 100 },
    });
    try {
      const hanging = await startReceiver(() => {});
      const receiver = await startReceiver();
      const guild = await createGuild(service);
      const { id } = await guild.create(hanging);
      await guild.create(receiver);
      const post = async (playerId: string) => {
        await guild.post({ playerId });
        await untilTrue(() => receiver.deliveries.at(-1)?.json.data.playerId === playerId);
      };
      await post('first');
      await guild.untilAttempts(id, 1);
      // A quarter of this is no whole number of milliseconds.
      service.clock.advance(5_001);
      await guild.untilAttempts(id, 2);
      service.clock.advance(20 * 60_000);
      // The next retry fails as well, after twenty minutes without a success: now the endpoint rests for a minute.
      const { attempts } = await guild.untilAttempts(id, 3);
      await post('second');
      const seen = attempts.length;
      service.clock.advance(30_000);
      await post('third');
      expect((await guild.show(id)).attempts).toHaveLength(seen);
      service.clock.advance(60_000);
      await guild.untilAttempts(id, seen + 1);
    } finally {
      await service.stop();
    }
  });
}
