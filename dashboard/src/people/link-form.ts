/** The form id of a verification, for its draft. */
export function linkFormId(playerId: string): string {
  return `people/verification/${playerId}`;
}
