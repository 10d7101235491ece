import { expect, test } from 'vitest';
import { areaPath, boxesPath, linePath, nearestStop, plotArea } from '../src/charts/plot.ts';
import { nextPart } from '../src/overview/next-part.ts';

test('values and places of a picture become pixels inside its axes', () => {
  const area = plotArea({ width: 464, height: 134, lowest: -100, highest: 100 });
  expect([area.x(0), area.x(0.5), area.x(1)]).toEqual([52, 252, 452]);
  expect([area.y(100), area.y(0), area.y(-100)]).toEqual([8, 58, 108]);
});

test('long numbers of an axis take room from the picture', () => {
  const area = plotArea({ width: 464, height: 134, lowest: 0, highest: 1, left: 80 });
  expect([area.left, area.x(1)]).toEqual([80, 452]);
  expect(plotArea({ width: 464, height: 134, lowest: 0, highest: 1, left: 30 }).left).toBe(52);
});

test.each([
  [-1, 0],
  [0.1, 0],
  [0.3, 1],
  [0.6, 1],
  [0.8, 2],
  [7, 2],
])('the stop nearest to %d is number %d', (place, index) => {
  expect(nearestStop([0, 0.5, 1], place)).toBe(index);
});

test('the area below a line ends at a level', () => {
  const points = [
    { x: 0, y: 10 },
    { x: 5, y: 2.04 },
  ];
  expect(linePath(points)).toBe('M0,10L5,2');
  expect(areaPath(points, 20)).toBe('M0,10L5,2V20H0Z');
  expect(areaPath([], 20)).toBe('');
});

test('a box is at least a pixel wide', () => {
  expect(boxesPath([{ left: 2, right: 5, top: 1, bottom: 4 }])).toBe('M2,1H5V4H2Z');
  expect(boxesPath([{ left: 2, right: 2, top: 1, bottom: 4 }])).toBe('M1.5,1H2.5V4H1.5Z');
});

test('arrow keys go from sum to sum and leave out what is nothing', () => {
  const bars = [
    { deposits: '1', withdrawals: '2' },
    { deposits: '0', withdrawals: '0' },
    { deposits: '0', withdrawals: '3' },
    { deposits: '4', withdrawals: '5' },
  ];
  const from = (index: number, tint: 'in' | 'out', key: string | undefined) =>
    nextPart(bars, { index, tint }, key);
  expect(from(0, 'in', 'ArrowDown')).toEqual({ index: 0, tint: 'out' });
  expect(from(2, 'out', 'ArrowUp')).toBeUndefined();
  expect(from(0, 'in', 'ArrowRight')).toEqual({ index: 2, tint: 'out' });
  expect(from(2, 'out', 'ArrowRight')).toEqual({ index: 3, tint: 'out' });
  expect(from(3, 'in', 'ArrowLeft')).toEqual({ index: 2, tint: 'out' });
  expect(from(0, 'in', 'ArrowLeft')).toBeUndefined();
  expect(from(3, 'in', 'Home')).toEqual({ index: 0, tint: 'in' });
  expect(from(0, 'in', 'Enter')).toBeUndefined();
  // To begin with, the one that was there, or else the newest.
  expect(from(0, 'out', undefined)).toEqual({ index: 0, tint: 'out' });
  expect(from(1, 'in', undefined)).toEqual({ index: 3, tint: 'out' });
  expect(nextPart([], undefined, undefined)).toBeUndefined();
});
