import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { askRoute, samplePerson } from './support/guild-pages.ts';
import { openLedger } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';

useChromium();
const demo = useDemo({ GUILD_EDITS_VERIFICATIONS: 'true' });

test('a payment is posted from the ledger with a preview of both balances, once', async () => {
  const page = await openPage(demo);
  const { players } = await openLedger(page);
  const [from, to] = [players[0], players[1]];
  if (!from || !to) throw new Error('the sample guild has players');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Transaction' }).click();
  const dialog = page.getByRole('dialog', { name: 'New transaction' });
  await dialog.getByText('Payment', { exact: true }).click();
  for (const [label, player] of [
    ['From', from],
    ['To', to],
  ] as const) {
    await dialog.getByLabel(label).fill(player.playerId);
    await page.getByRole('option', { name: new RegExp(player.playerId) }).click();
  }
  await dialog.getByLabel('Name').fill('Wager');
  await dialog.getByLabel('Amount').fill('1.25');
  await dialog.getByText('−1.25', { exact: true }).waitFor();
  await dialog.getByText('+1.25', { exact: true }).waitFor();
  expect(await findViolations(page, 'the payment')).toEqual([]);
  await dialog.getByRole('button', { name: 'Post the payment' }).dblclick();
  await page.getByText('Payment posted').waitFor();
  await dialog.waitFor({ state: 'detached' });
  const balances = async () =>
    Promise.all(
      [from, to].map(async ({ playerId }) => {
        const { body } = await askRoute(page, `players/${playerId}`);
        return Number((body as { data: { balance: string } }).data.balance);
      }),
    );
  expect(await balances()).toEqual([Number(from.balance) - 1.25, Number(to.balance) + 1.25].map(exact));
  await page.getByText('Wager').first().waitFor();
});

test('a payout to a pasted list names what is unclear, shows every balance, and is posted whole', async () => {
  const page = await openPage(demo);
  const { players } = await openLedger(page);
  const [one, two, three] = players;
  if (!one || !two || !three) throw new Error('the sample guild has players');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Payout to many' }).click();
  const dialog = page.getByRole('dialog', { name: 'Payout' });
  await dialog.getByText('A list', { exact: true }).click();
  await dialog
    .getByLabel('Names or ids')
    .fill([one.playerId, two.username ?? two.playerId, 'Nobody Here'].join('\n'));
  await dialog.getByRole('button', { name: 'Add 3' }).click();
  await dialog.getByText('One entry is not clear').waitFor();
  const table = dialog.getByRole('table');
  await expect.poll(() => table.locator('tbody tr').count(), { timeout: waitMs }).toBe(2);
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Event prize');
  await dialog.getByLabel('Amount for each').fill('2.5');
  const pay = dialog.getByRole('button', { name: 'Pay 2 people' });
  expect(await pay.isDisabled()).toBe(true);
  expect(await findViolations(page, 'the payout')).toEqual([]);
  await dialog.getByRole('button', { name: 'Leave out Nobody Here' }).click();
  await dialog.getByText('People', { exact: true }).click();
  await dialog.getByLabel('Add a person').fill(three.playerId);
  await page.getByRole('option', { name: new RegExp(three.playerId) }).click();
  await dialog.getByText('7.5', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Pay 3 people' }).click();
  await page.getByText('Paid out').waitFor();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await askRoute(page, 'audit?kind=transaction&limit=3');
  const { entries } = (body as { data: { entries: { detail: { after: { total: string } } }[] } }).data;
  expect(entries.map(({ detail }) => detail.after.total)).toEqual(['2.5', '2.5', '2.5']);
});

test('a file of transactions is checked line by line, posted whole, and not twice by mistake', async () => {
  const page = await openPage(demo);
  const { players } = await openLedger(page);
  const [one, two] = players;
  if (!one || !two) throw new Error('the sample guild has players');
  const lines = [`${one.playerId},Prize 7Q,1.5`, `${two.playerId},Prize 7Q,-0.25`, `,Prize 7Q,1`];
  const upload = async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Import CSV' }).click();
    const text = ['playerId,name,amount', ...lines].join('\n');
    const file = { name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.locator('input[type="file"]').setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Import transactions' });
    await dialog.getByText('Lines that cannot be used as they are: 1 of 3.').waitFor();
    return dialog;
  };
  const dialog = await upload();
  const post = dialog.getByRole('button', { name: 'Import 2 transactions' });
  expect(await post.isDisabled()).toBe(true);
  expect(await findViolations(page, 'the import')).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'Leave the faulty line out' }).check();
  await post.click();
  await page.getByText('2 transactions were posted.').waitFor();
  await dialog.waitFor({ state: 'detached' });

  await upload();
  await dialog.getByRole('checkbox', { name: 'Leave the faulty line out' }).check();
  await post.click();
  await dialog.getByText('These lines have been posted before').waitFor();
  const { body } = await askRoute(page, 'transactions?search=Prize%207Q&limit=10');
  expect((body as { data: { transactions: unknown[] } }).data.transactions).toHaveLength(2);
});

test('a file of verifications is checked line by line, and replaces what is there only when asked', async () => {
  const page = await openPage(demo);
  const { players } = await openLedger(page, 'people');
  const other = players.find(
    (player) => player.username !== null && player.playerId !== samplePerson.playerId,
  );
  const { chatId, playerId, username } = samplePerson;
  const lines = [
    `${chatId},${playerId},${username}`,
    `4712,${other?.playerId},Renamed 7Q`,
    '4711,nobody-has-this,Nobody',
  ];
  await page.getByRole('button', { name: 'Import verifications' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import verifications' });
  const text = ['chatId,playerId,username', ...lines].join('\n');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await dialog.getByText('Lines that cannot be used as they are: 1 of 3.').waitFor();
  await dialog.getByText('Player id: nobody in this guild has it').waitFor();
  await dialog.getByText('Verified like this already').waitFor();
  await dialog.getByText('Person or player is verified otherwise').waitFor();
  await dialog.getByRole('checkbox', { name: 'Leave the faulty line out' }).check();
  await dialog.getByRole('button', { name: 'Import 1 verification' }).waitFor();
  await dialog.getByRole('checkbox', { name: 'Replace the one that is verified otherwise' }).check();
  await dialog.getByRole('button', { name: 'Import 2 verifications' }).click();
  await page.getByText('1 added and 1 unchanged.').waitFor();
  await page.getByRole('textbox', { name: 'Search' }).fill('Renamed 7Q');
  await page.getByRole('button', { name: /^Renamed 7Q/ }).waitFor();
});

/** Without the error of floating-point sums. */
function exact(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
