import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * The largest size that the sealed log of each guild ever had, in a file beside the store. It is no part of a backup, so that it shows
 * when an older one was restored.
 */
export type SealMarks = Record<string, number>;

const OWNER_ONLY = 0o600;

function markFile(storeFile: string): string {
  return `${storeFile}-seals`;
}

/** Empty when there is no such file, or none that can be read: then nothing is known. */
export function readSealMarks(storeFile: string): SealMarks {
  try {
    const read: unknown = JSON.parse(readFileSync(markFile(storeFile), 'utf8'));
    const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
    return Object.fromEntries(entries.filter(([, size]) => Number.isSafeInteger(size)));
  } catch {
    return {};
  }
}

/** Adds sizes to the file. A size never gets smaller there. */
export function writeSealMarks(storeFile: string, sizes: ReadonlyMap<string, number>): void {
  const marks = readSealMarks(storeFile);
  for (const [guildId, size] of sizes) {
    marks[guildId] = Math.max(marks[guildId] ?? 0, size);
  }
  const unfinished = `${markFile(storeFile)}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(marks), { mode: OWNER_ONLY });
  renameSync(unfinished, markFile(storeFile));
}
