import { describe, expect, test } from 'vitest';
import { createTypeAhead } from '../src/app/type-ahead.ts';

/** Sends a key to the target; returns true when the page behind still gets it. */
function press(target: EventTarget, key: string, ctrlKey = false): boolean {
  const event = new Event('keydown', { cancelable: true });
  Object.assign(event, { key, ctrlKey, metaKey: false, altKey: false });
  return target.dispatchEvent(event);
}

describe('keys typed before the palette has its field', () => {
  test('are collected, and the page behind does not get them', () => {
    const target = new EventTarget();
    const typeAhead = createTypeAhead(target);
    typeAhead.start();
    expect(['g', 'l', 'x'].map((key) => press(target, key))).toEqual([false, false, false]);
    press(target, 'Backspace');
    expect(press(target, 'Tab')).toBe(true);
    expect(press(target, 'r', true)).toBe(true);
    expect(typeAhead.take()).toBe('gl');
  });

  test('afterwards belong to the field, and a second start begins anew', () => {
    const target = new EventTarget();
    const typeAhead = createTypeAhead(target);
    typeAhead.start();
    press(target, 'a');
    typeAhead.start();
    expect(typeAhead.take()).toBe('');
    expect(press(target, 'b')).toBe(true);
    expect(typeAhead.take()).toBe('');
  });
});
