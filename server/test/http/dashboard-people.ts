import { type DashboardService, GUILD, MEMBER_RIGHTS, type SignedInBrowser } from './dashboard-service.ts';

/** Somebody with no rights on the platform who is invited into the guild with a role, signed in. */
export async function invite(
  service: DashboardService,
  inviter: SignedInBrowser,
  role: string,
): Promise<SignedInBrowser> {
  const chatId = String(700 + service.platform.people.length);
  const username = `invited ${role} ${chatId}`;
  const guild = { guildId: GUILD, name: GUILD, owner: false, permissions: MEMBER_RIGHTS };
  service.platform.people.push({ username, chatId, about: username, guilds: [guild] });
  const path = `/dashboard/api/guilds/${GUILD}/roles/people/${chatId}`;
  const { status } = await inviter.change('PUT', path, { role });
  if (status !== 200) {
    throw new Error(`the invitation was answered with ${status}`);
  }
  return service.signIn(username);
}
