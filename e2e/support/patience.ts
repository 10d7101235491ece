/**
 * How long anything may take: a click, a page, a start. It is an upper bound and never waited out, so it leaves room
 * for a machine that is busy with other things; what hangs is found all the same.
 */
export const waitMs = 120_000;
