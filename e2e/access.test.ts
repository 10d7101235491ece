import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { findChangingControls } from './support/changing-controls.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, readDownload } from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { enter, signIn, waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

/** At least as long as the list of keys waits between two refreshes. */
const refreshMs = 60_000;

useChromium();
const demo = useDemo();

test('a member without rights sees their own account alone, until the guild switches it off', async () => {
  const member = await openPage(demo);
  const asked: string[] = [];
  member.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signIn(member, 'member');
  await member.waitForURL(`**${guildPagePath('me')}`);
  await member.getByText('Largest moves').waitFor();
  const navigation = member.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect.poll(() => navigation.allTextContents(), { timeout: waitMs }).toEqual(['My account']);
  const found = await findViolations(member, 'my account');

  const rows = member.getByRole('table', { name: 'Your transactions' }).locator('tbody');
  await rows.getByRole('button').first().click();
  const drawer = member.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Receipt' }).click();
  await drawer.getByText('Checked in this browser').waitFor();
  expect(await findChangingControls(member)).toEqual([]);
  found.push(...(await findViolations(member, 'own transaction')));
  await visit(member, guildPagePath('me?tab=accounts'));
  await member.getByText('Your chat account is verified').waitFor();
  found.push(...(await findViolations(member, 'own verification')));
  await visit(member, guildPagePath('me?tab=statement'));
  await member.getByText('Closing balance').first().waitFor();
  const downloading = member.waitForEvent('download');
  await member.getByRole('link', { name: 'Export CSV' }).click();
  expect(await readDownload(await downloading)).toContain('Closing balance');
  const ofGuild = asked.filter((path) => path.startsWith('/dashboard/api/guilds/'));
  expect(ofGuild.filter((path) => path.split('/')[5] !== 'me')).toEqual([]);
  await visit(member, guildPagePath('keys'));
  await member.getByText('You do not manage this guild').waitFor();

  const owner = await openPage(demo);
  await openGuildPage(owner, 'settings');
  const choice = owner.getByRole('switch', { name: 'Verified members see their own account' });
  const save = async (isOn: boolean) => {
    await choice.setChecked(isOn, { force: true });
    await owner.getByRole('button', { name: 'Save settings' }).click();
    await owner.getByText('Settings saved').first().waitFor();
  };
  await save(false);
  await member.goto('/dashboard/');
  await member.getByText('You manage no guild').waitFor();
  await save(true);
  // Somebody who signed in with the wrong account can sign out on the page that says so.
  await member.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await member.getByRole('link', { name: 'Sign in with your chat account' }).waitFor();
  expect(found).toEqual([]);
});

test('a page whose code does not arrive is not said to be an update', async () => {
  const page = await openPage(demo);
  await page.route('**/assets/SettingsPage-*.js', (route) => route.abort());
  await openGuildPage(page, 'people');
  await visit(page, guildPagePath('settings'));
  await page.getByRole('alert').getByText('Either the service does not answer right now').waitFor();
});

test('a deep link while signed out leads back there after signing in', async () => {
  const page = await openPage(demo);
  await signIn(page, 'administrator', guildPagePath('keys'));
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.waitForURL(`**${guildPagePath('keys')}`);
});

test('an address of another site is not followed after signing in', async () => {
  const page = await openPage(demo);
  await signIn(page, 'owner', '/dashboard/sign-in?returnTo=//example.com/dashboard/');
  await page.waitForURL(`${demo.address}/dashboard/`);
});

test('who refuses at the chat platform comes back to a clear message', async () => {
  const page = await openPage(demo);
  await page.goto('/dashboard/');
  await page.getByRole('link', { name: 'Sign in with your chat account' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('You did not allow the sign-in').waitFor();
});

test('signing out everywhere ends the second browser', async () => {
  const first = await openPage(demo);
  const second = await openPage(demo);
  await second.clock.install();
  await enter(first, 'owner');
  const keysPath = guildPagePath('keys');
  await openGuildPage(second, 'keys');
  // The time of the next refresh is known once the list is there.
  await waitUntilLoaded(second);

  await first.getByRole('button', { name: /^Account of/ }).click();
  await first.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await first.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await first.getByText('You are signed out').waitFor();

  // The second browser learns of it by itself, at the next refresh of its list.
  await second.clock.fastForward(refreshMs);
  await second.getByText('Your session has ended').waitFor();
  await second.waitForURL((url) => url.searchParams.get('returnTo') === keysPath);
  await second.goto(keysPath);
  await second.getByRole('link', { name: 'Sign in with your chat account' }).waitFor();
});

test('the commands are readable without signing in, and a link leads to one of them', async () => {
  const page = await openPage(demo);
  await page.goto('/dashboard/commands#deposit');
  await page.locator('details[open]').filter({ hasText: 'deposit' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search commands' }).fill('balance');
  await page.waitForURL('**/dashboard/commands?q=balance');
  await page.goto('/dashboard/commands?category=economy');
  const chapters = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect.poll(() => chapters.allTextContents(), { timeout: waitMs }).toEqual(['Economy']);
});

test('an unknown address shows a page of its own', async () => {
  const page = await openPage(demo);
  await page.goto('/dashboard/nowhere/at/all');
  await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor();
});
