import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { findChangingControls } from './support/changing-controls.ts';
import { useDemo } from './support/demo.ts';
import {
  askRoute,
  guildPagePath,
  openGuildPage,
  sampleDischargeId,
  samplePerson,
} from './support/guild-pages.ts';
import { enter } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('somebody is invited, sees what the role opens and nothing else, and is out once removed', async () => {
  const member = await openPage(demo);
  await enter(member, 'member');
  await member.getByText('Largest moves').waitFor();
  const session = await (await member.request.get('/dashboard/api/session')).json();
  const { chatId } = session.data.user;

  const owner = await openPage(demo);
  const found: string[] = [];
  await openGuildPage(owner, 'roles');
  await owner.getByText('Quartermaster').waitFor();
  found.push(...(await findViolations(owner, 'roles')));
  await owner.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Give the role' }).click();
  await dialog.getByText('Give the person’s chat id').waitFor();
  await dialog.getByLabel('Chat id').fill(chatId);
  found.push(...(await findViolations(owner, 'invite somebody')));
  await dialog.getByRole('button', { name: 'Give the role' }).click();
  const people = owner.getByRole('region', { name: 'People' });
  await people.getByText('Viewer').waitFor();

  await member.goto(guildPagePath(`ledger/${samplePerson.playerId}`));
  await member.getByRole('table').first().waitFor();
  const main = member.getByRole('navigation', { name: 'Main' });
  expect(await main.getByRole('link', { name: /API keys|Webhooks|Roles/ }).count()).toBe(0);
  const { body } = await askRoute(owner, 'transactions?limit=1');
  const [newest] = (body as { data: { transactions: { transactionId: string }[] } }).data.transactions;
  const pages: [path: string, sign: string | RegExp][] = [
    [`people/${samplePerson.playerId}`, 'Largest moves'],
    [`people/${samplePerson.playerId}?tab=accounts`, 'Current'],
    [`people/${samplePerson.playerId}?tab=statement`, 'Closing balance'],
    ['people/nobody-yet', 'No account yet'],
    ['people', /^\d+ people$/],
    ['', 'Top spenders'],
    ['ledger', 'Amount up to'],
    [`ledger?record=${newest?.transactionId}`, 'Transaction id'],
    ['discharges', 'Date of the discharge'],
    [`discharges?record=${sampleDischargeId}`, sampleDischargeId],
    ['transfers', 'Date of the transfer'],
    ['audit', 'Only managers see'],
    ['settings', 'Your role does not open this page'],
    ['roles', 'Your role does not open this page'],
  ];
  for (const [path, sign] of pages) {
    await visit(member, guildPagePath(path));
    await member.getByText(sign).locator('visible=true').first().waitFor();
    expect([path, await findChangingControls(member)]).toEqual([path, []]);
  }

  await people.getByRole('button', { name: /^Change the role of/ }).click();
  await dialog.getByLabel('Treasurer').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await people.getByText('Treasurer').waitFor();
  await member.goto(guildPagePath(`ledger/${samplePerson.playerId}`));
  await member.getByRole('button', { name: 'New transaction' }).waitFor();
  expect(await findChangingControls(member)).toContain('New transaction');

  // The audit log says which entries viewers and treasurers do not see.
  await visit(member, guildPagePath('audit'));
  await member.getByText('Only managers see the changes of keys, webhooks and roles.').waitFor();
  const kinds = member.getByLabel('What', { exact: true });
  expect(await kinds.locator('option').allInnerTexts()).not.toContain('Keys');

  await people.getByRole('button', { name: /^Change the role of/ }).click();
  await dialog.getByLabel('Manager').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await people.getByText('Manager').waitFor();
  await member.goto(guildPagePath('roles'));
  await member.getByRole('button', { name: 'Invite somebody' }).click();
  const theirs = member.getByRole('dialog');
  await theirs.getByText('This needs the right to manage the guild on the chat platform').waitFor();
  expect(await theirs.getByLabel('Manager').isDisabled()).toBe(true);
  found.push(...(await findViolations(member, 'invite as an invited manager')));
  await member.goto(guildPagePath('keys'));
  await member
    .getByRole('button', { name: /^Actions for the key/ })
    .first()
    .click();
  await member.getByRole('menuitem', { name: 'Settings' }).click();
  await theirs.getByText('You can tighten this key, not loosen it').waitFor();
  await theirs.getByRole('button', { name: 'Add a limit' }).click();
  found.push(...(await findViolations(member, 'key settings of an invited manager')));

  const remove = async () => {
    await people.getByRole('button', { name: /^Remove/ }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await people.getByText('Nobody has been invited yet.').waitFor();
  };
  await remove();
  await owner.getByRole('button', { name: 'Undo' }).click();
  await people.getByText('Manager').waitFor();
  await remove();
  await member.goto(guildPagePath('ledger'));
  await member.getByText('You do not manage this guild').waitFor();
  expect(found).toEqual([]);
});

test('a link invites somebody, who signs in, accepts it and sees the guild', async () => {
  const owner = await openPage(demo);
  await openGuildPage(owner, 'roles');
  await owner.getByRole('button', { name: 'Make a link' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.waitFor();
  const found = await findViolations(owner, 'make a link');
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const link = await owner.getByTestId('key-value').innerText();
  await owner.getByRole('button', { name: 'I have stored it' }).click();
  const links = owner.getByRole('region', { name: 'Invitation links' });
  await links.getByText('For one person').waitFor();

  const member = await openPage(demo);
  await member.goto(link);
  await member.getByText('Sign in with your chat account first').waitFor();
  expect(member.url()).not.toContain('#');
  await enter(member, 'member', '/dashboard/join');
  await member.getByRole('button', { name: 'Accept the invitation' }).waitFor();
  found.push(...(await findViolations(member, 'invitation')));
  await member.getByRole('button', { name: 'Accept the invitation' }).click();
  await member.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

  await owner.reload();
  await links.getByText('No link is open.').waitFor();
  const people = owner.getByRole('region', { name: 'People' });
  await people
    .getByRole('button', { name: /^Remove/ })
    .first()
    .waitFor();
  expect(found).toEqual([]);
});
