import type { Metadata } from '../../domain/model.ts';

/** Metadata is stored as the JSON text of an object with sorted keys. */
export function readMetadata(text: string | null): Metadata | undefined {
  return text === null ? undefined : JSON.parse(text);
}

export function writeMetadata(metadata: Metadata | undefined): string | null {
  return metadata === undefined ? null : JSON.stringify(metadata);
}
