/** A random key. Not `randomUUID`, which browsers offer only over https. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dashboard-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
