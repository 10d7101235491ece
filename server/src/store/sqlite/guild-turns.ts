/** Runs the tasks of one guild one at a time, and those of different guilds in parallel. */
export type GuildTurns = <Result>(guildNo: number, task: () => Promise<Result>) => Promise<Result>;

/** Has no bound of its own: each task is the next step of an export, and callers limit those. */
export function createGuildTurns(): GuildTurns {
  const lastOfGuild = new Map<number, Promise<unknown>>();
  return (guildNo, task) => {
    const before = lastOfGuild.get(guildNo);
    const run = before === undefined ? task() : before.then(task, task);
    lastOfGuild.set(guildNo, run);
    const forget = () => {
      if (lastOfGuild.get(guildNo) === run) {
        lastOfGuild.delete(guildNo);
      }
    };
    run.then(forget, forget);
    return run;
  };
}
