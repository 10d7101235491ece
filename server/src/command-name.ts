/**
 * How operators call this program where it is installed. In a checkout, whose modules are TypeScript, and where npx has started
 * it, that is "npx guildbook". An installation as docs/operations.md describes it, and the image, have the command itself.
 */
export const COMMAND = isCalledByNpx() ? 'npx guildbook' : 'guildbook';

/** A command line that can be pasted, for messages and pages that name one. */
export function commandLine(args: string): string {
  return `${COMMAND} ${args}`;
}

function isCalledByNpx(): boolean {
  return import.meta.filename.endsWith('.ts') || process.env.npm_command === 'exec';
}
