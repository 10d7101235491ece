/** The same schemas with every object closed: fields that it does not list are then faults. */
export function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(closeObjects);
  }
  if (typeof node !== 'object' || node === null) {
    return node;
  }
  const closed = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closeObjects(value)]));
  const isObjectSchema = 'type' in node && node.type === 'object' && 'properties' in node;
  return isObjectSchema ? { ...closed, additionalProperties: false } : closed;
}
