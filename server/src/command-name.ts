/**
 * The command that starts this program: "npx guildbook" in a checkout, whose modules are TypeScript, and after a start by npx;
 * "guildbook" in an installation as in docs/operations.md and in the image.
 */
export const COMMAND = isCalledByNpx() ? 'npx guildbook' : 'guildbook';

/** A command line that can be pasted, for messages and pages that name one. */
export function commandLine(args: string): string {
  return `${COMMAND} ${args}`;
}

function isCalledByNpx(): boolean {
  return import.meta.filename.endsWith('.ts') || process.env.npm_command === 'exec';
}
