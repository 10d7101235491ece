/** A column of the person verified with the game account of `a`. There is at most one; if there were two, the higher chat id would win. */
export function holder(column: 'username' | 'chat_id'): string {
  return `(SELECT v.${column} FROM verification AS v WHERE v.player_id = a.player_id ORDER BY v.chat_id DESC LIMIT 1)`;
}
