export type Turns<Lane> = <Result>(lane: Lane, task: () => Promise<Result>) => Promise<Result>;

/**
 * Runs the tasks of one lane one at a time, in the order of the calls, and those of different lanes in parallel. A
 * failed task does not stop the next one. Has no bound of its own: each task belongs to a pending request, and callers
 * limit those.
 */
export function createTurns<Lane>(): Turns<Lane> {
  const last = new Map<Lane, Promise<unknown>>();
  return (lane, task) => {
    const before = last.get(lane);
    const turn = before === undefined ? task() : before.then(task, task);
    last.set(lane, turn);
    const leave = () => {
      if (last.get(lane) === turn) {
        last.delete(lane);
      }
    };
    turn.then(leave, leave);
    return turn;
  };
}
