import { expect, test } from 'vitest';
import { isDeep } from '../server/test/support/depth.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, sampleDischargeId, samplePerson } from './support/guild-pages.ts';
import { findSmallTargets } from './support/touch.ts';

useChromium();
const demo = useDemo();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const places = ['', `people/${samplePerson.playerId}`, 'discharges', 'keys', 'audit'];
/** The others are made of the same parts. */
const furtherPlaces = [
  'ledger',
  'people',
  `people/${samplePerson.playerId}?tab=accounts`,
  `people/${samplePerson.playerId}?tab=statement`,
  `discharges?record=${sampleDischargeId}`,
  'transfers',
  'commands',
  'webhooks',
  'roles',
  'settings',
  'board',
];

test('on a phone, everything that can be touched has room for a finger', async () => {
  const page = await openPage(demo, phone);
  await openGuildPage(page, '');
  const found: string[] = [];
  const judge = async (place: string) => {
    for (const small of await findSmallTargets(page)) found.push(`${place}: ${small}`);
  };
  for (const place of isDeep ? [...furtherPlaces, ...places] : places) {
    await page.goto(guildPagePath(place));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await judge(place);
  }
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).waitFor();
  await judge('user menu');
  await page.goto('/dashboard/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await judge('guilds');
  expect(found).toEqual([]);
});
