import { areFirstTaken, sendFirst } from '../api/first-answers.ts';
import type { Guild } from '../api/guilds.ts';
import { attentionPaths } from './first-view.ts';

/** Sends the requests of the overview that the person has the right to, as soon as the list of guilds has arrived. */
export async function sendAllowed(guilds: Promise<Response>, guildId: string): Promise<void> {
  // A copy, because the page reads the answer itself. Unchecked: a wrong list costs a refused request.
  const { data }: { data?: Guild[] } = await (await guilds).clone().json();
  const guild = data?.find((one) => one.guildId === guildId);
  for (const [right, path] of attentionPaths(guildId)) {
    if (guild?.may.includes(right) && !areFirstTaken()) sendFirst(path);
  }
}
