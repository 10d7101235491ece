import { expect, onTestFinished, test } from 'vitest';
import { verifyDelivery } from '../server/test/support/verify-delivery.ts';
import { startReceiver } from '../server/test/support/webhook-receiver.ts';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { startDemo } from './support/demo-process.ts';
import { change, guildPagePath, makeKey, openGuildPage } from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { askForShared } from './support/shared.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('a webhook is added, tested, changed, disabled, replayed and deleted', async () => {
  const receiver = await startReceiver();
  const page = await openPage(demo);
  const found: string[] = [];
  const judge = async (place: string) => found.push(...(await findViolations(page, place)));
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const dialog = page.getByRole('dialog');
  await openGuildPage(page, 'webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText('Give the address').waitFor();
  await dialog.getByLabel('Address').fill('https://10.1.2.3/hook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText(/is not on the public Internet/).waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Name').fill('Shop bot');
  await dialog.getByLabel(/key\.created/).check();
  await judge('add a webhook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = await page.getByTestId('key-value').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test arrived').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Shop bot' }).waitFor();
  await page.getByRole('row', { name: /Test.*204/ }).click();
  await dialog.getByText('"webhook.test"').waitFor();
  await dialog.getByText('The answer had no body.').waitFor();
  await judge('delivery');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await makeKey(page, 'Told of');
  await receiver.until(2);
  const told = receiver.deliveries.map((delivery) => verifyDelivery(secret, delivery));
  expect(told).toMatchObject([{ type: 'webhook.test' }, { type: 'key.created', data: { name: 'Told of' } }]);
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: /^Deliver evt_.* again$/ }).click();
  await dialog.getByRole('button', { name: 'Deliver again' }).click();
  await receiver.until(3);
  expect(receiver.deliveries[2]?.id).toBe(receiver.deliveries[1]?.id);
  await choose('Replay');
  await dialog.waitFor();
  await judge('replay');
  await dialog.getByRole('button', { name: 'Deliver again' }).click();
  await dialog.waitFor({ state: 'detached' });

  await choose('New secret');
  await dialog.getByRole('button', { name: 'Make a new secret' }).click();
  expect(await page.getByTestId('key-value').innerText()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have stored it' }).click();

  await choose('Change');
  await dialog.getByLabel('From this amount on').fill('12,5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Give an amount such as 500 or 12.5').waitFor();
  await dialog.getByLabel('From this amount on').fill('12.5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Money from 12.5 on, in or out').waitFor();

  await choose('Disable');
  await page.getByText('This webhook is disabled').waitFor();
  await judge('webhook');
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('This webhook is disabled').waitFor({ state: 'detached' });

  const address = new URL(page.url()).pathname;
  await visit(page, guildPagePath('audit?kind=webhook'));
  await page.locator('summary').first().click();
  await page.getByRole('link', { name: 'Show the webhook' }).first().click();
  await page.getByText('Last attempts').waitFor();
  expect(new URL(page.url()).pathname).toBe(address);

  await choose('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(receiver.url).waitFor({ state: 'detached' });
  await visit(page, address);
  await page.getByText('There is no such webhook').waitFor();
  expect(found).toEqual([]);
});

test('an endpoint that was disabled after failures is said so first, and hostile answers are text', async () => {
  const answer = '<img src=x onerror="alert(1)">';
  const receiver = await startReceiver((response) => void response.writeHead(410).end(answer));
  const page = await openPage(demo, { viewport: { width: 390, height: 844 } });
  await openGuildPage(page, 'webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel(/key\.created/).check();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('None yet.').waitFor();
  await makeKey(page, 'Not told of');
  await page.getByText('Guildbook disabled this webhook after failures').waitFor();
  await page.getByText(/answered 410 Gone/).waitFor();
  await page.getByText(answer).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await page.getByRole('link', { name: 'All webhooks' }).click();
  await page.getByText('A webhook gets nothing any more').waitFor();
  await page.getByText('Disabled after failures').waitFor();
  await visit(page, guildPagePath(''));
  await page.getByText('A webhook gets nothing any more').waitFor();
  await page.getByRole('link', { name: 'Open the webhook' }).click();
  await page.getByText('Disabled after failures').waitFor();
  await visit(page, guildPagePath('audit?kind=webhook&action=update'));
  await page.locator('summary', { hasText: 'The service switched off the webhook' }).waitFor();
});

test('the try-out’s channel shows what happens, as text, and a guild without webhooks is told what they are', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'webhooks');
  const channel = (await page.getByRole('link', { name: 'Open the channel' }).getAttribute('href')) ?? '';
  expect(demo.output()).toContain(channel);
  const name = '<img src=x onerror="alert(1)"> **bold** @everyone';
  await makeKey(page, name);
  const readChannel = async () => (await page.request.get(channel)).text();
  await expect
    .poll(readChannel, { timeout: waitMs })
    .toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62; **bold** @');
  expect(await readChannel()).not.toMatch(/<img(?! class="[a-z-]+" src="\/)/);

  await page.getByRole('link', { name: /try-out/ }).click();
  await page.getByText('Last attempts').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect
    .poll(() => page.getByRole('main').innerText(), { timeout: waitMs })
    .not.toContain('try-out/***');
});

test('a webhook whose secret the service cannot read says so and is mended with a new one', async () => {
  const [receiver, channel] = [await startReceiver(), await startReceiver()];
  const former = await startDemo({ SECRET_KEY: 'o'.repeat(32) }, { samples: await askForShared('samples') });
  onTestFinished(former.end);
  const before = await openPage(former);
  await openGuildPage(before, 'webhooks');
  const order = { kind: 'standard', url: receiver.url, events: ['key.created'], filter: {} };
  await change(before, 'POST', 'webhooks', order);
  await change(before, 'POST', 'webhooks', { ...order, kind: 'discord', url: `${channel.url}/1/token` });
  await before.close();
  await former.stop();

  const demo = await startDemo({ SECRET_KEY: 'n'.repeat(32) }, { samples: former.folder });
  onTestFinished(demo.end);
  const page = await openPage(demo);
  const found: string[] = [];
  const judge = async (place: string) => found.push(...(await findViolations(page, place)));
  const dialog = page.getByRole('dialog');
  await openGuildPage(page, '');
  await page.getByText('2 webhooks get nothing any more').waitFor();
  await page.getByRole('link', { name: 'Show the webhooks' }).click();
  await page.getByRole('list', { name: 'Webhooks of this guild' }).waitFor();
  await page.getByText('The service cannot read the secret of 2: open each').waitFor();
  await expect.poll(() => page.getByText('Cannot deliver').count(), { timeout: waitMs }).toBe(2);

  await page.getByRole('link', { name: receiver.url, exact: true }).click();
  await page.getByText('The secret of this webhook cannot be read').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test was not accepted').waitFor();
  await judge('unreadable webhook');
  await page.getByRole('main').getByRole('button', { name: 'Make a new secret' }).click();
  await dialog.getByText(/signed with the new one alone/).waitFor();
  await dialog.getByRole('button', { name: 'Make a new secret' }).click();
  const secret = await page.getByTestId('key-value').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('The secret of this webhook cannot be read').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test arrived').waitFor();
  const [delivery] = receiver.deliveries;
  expect(delivery && verifyDelivery(secret, delivery)).toMatchObject({ type: 'webhook.test' });

  await page.getByRole('link', { name: 'All webhooks' }).click();
  await page.getByRole('link', { name: new RegExp(`${channel.port}/hook`) }).click();
  await page.getByText('The address of this channel cannot be read').waitFor();
  await page.getByRole('button', { name: 'Enter the address' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Give the address').waitFor();
  await dialog.getByLabel('Address').fill(`${channel.url}/1/token`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The address of this channel cannot be read').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send a test' }).click();
  await channel.until(1);
  await visit(page, guildPagePath(''));
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByText(/gets? nothing any more/).waitFor({ state: 'detached' });
  expect(found).toEqual([]);
});
