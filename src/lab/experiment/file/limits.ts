/** Numbers that the command line tells too, which need not load the reader of files for that. */

/** From here on more of them cost time and tell nothing that a larger margin would not. */
export const PAIRS_MAX = 30;
