/** Times that are compared with one another: two with a change and two without, so that a drift of the machine's speed adds the same to both. */
export const GROUP_SIZE = 4;

const ORDERS: readonly (readonly boolean[])[] = [
  [true, false, false, true],
  [false, true, true, false],
];

/**
 * The order of a group, true for the times with the change. It is chosen at random: a task that the service repeats at a steady rate would
 * otherwise meet one kind more often.
 */
export function chooseOrder(): readonly boolean[] {
  return ORDERS[Math.floor(Math.random() * ORDERS.length)] ?? [];
}
