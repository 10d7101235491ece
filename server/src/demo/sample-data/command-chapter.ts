/** The commands of one category, written without repeating what they share. */
export interface CommandChapter {
  category: string;
  commands: readonly {
    name: string;
    description: string;
    /** Lines of the long help text; usage and examples get lines of their own. */
    help: readonly string[];
    /** Preconditions, in the order in which the bot checks them. */
    needs: readonly string[];
  }[];
}
