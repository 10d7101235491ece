/** Slices that are compared with one another: two of each kind. */
export const SLICES_PER_GROUP = 4;
