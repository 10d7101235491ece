import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { askRoute, change, guildPagePath, openGuildPage } from './support/guild-pages.ts';
import { waitUntilLoaded } from './support/steps.ts';

useChromium();
const demo = useDemo();

test('the address of something deleted says so, and the browser logs no error', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, '');
  await waitUntilLoaded(page);
  const order = { url: 'http://127.0.0.1:1/', kind: 'standard', events: ['key.*'] };
  await change(page, 'POST', 'webhooks', order);
  const { data } = (await askRoute(page, 'webhooks')).body as { data: { webhooks: { id: string }[] } };
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  for (const [path, text] of [
    ['discharges?record=gone', 'There is no such discharge'],
    ['transfers?record=gone', 'There is no such transfer'],
    ['ledger?record=00000000-0000-7000-8000-000000000000', 'There is no such transaction'],
    ['webhooks/gone', 'There is no such webhook'],
    [`webhooks/${data.webhooks[0]?.id}?record=gone`, 'This delivery is no longer kept.'],
    ['people/999999999999', 'No account yet'],
    ['people?query=nobody-has-this-name', 'Nobody matches'],
  ] as const) {
    await page.goto(guildPagePath(path));
    await page.getByText(text).first().waitFor();
    await waitUntilLoaded(page);
    expect([path, errors]).toEqual([path, []]);
  }
});
