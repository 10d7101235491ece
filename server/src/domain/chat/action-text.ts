/** Ids in the actions of buttons, which have room for a hundred characters. */

const RADIX = 36;

/** Digits in fewer characters. */
export function packId(id: string): string {
  return BigInt(id).toString(RADIX);
}

/** Undoes `packId`. */
export function unpackId(text: string): string {
  let value = 0n;
  for (const character of text) {
    value = value * BigInt(RADIX) + BigInt(Number.parseInt(character, RADIX));
  }
  return String(value);
}

export function packNumber(value: number): string {
  return value.toString(RADIX);
}

export function unpackNumber(text: string): number {
  return Number.parseInt(text, RADIX);
}

/** The sixteen bytes of a UUID in 22 characters. */
export function packUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

export function unpackUuid(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
