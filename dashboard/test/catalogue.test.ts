import { describe, expect, test } from 'vitest';
import type { Command } from '../src/api/commands.ts';
import {
  catalogueAddress,
  commandAddress,
  commandInHash,
  countByCategory,
  groupCommands,
} from '../src/commands/catalogue.ts';

const commandOf = (category: string, name: string, description = ''): Command => ({
  category,
  name,
  description,
  extendedHelp: '',
  preconditions: [],
});

const commands = [
  commandOf('Tavern', 'toast'),
  commandOf('Economy', 'deposit', 'Pay coin in'),
  commandOf('Economy', 'balance'),
];

describe('the catalogue', () => {
  test('categories and commands come in alphabetical order', () => {
    const groups = groupCommands(commands, { category: '', search: '' });
    expect(groups.map(({ category }) => category)).toEqual(['Economy', 'Tavern']);
    expect(groups[0]?.commands.map(({ name }) => name)).toEqual(['balance', 'deposit']);
  });

  test('category and search narrow it together, without regard to case', () => {
    expect(groupCommands(commands, { category: 'eCONOMY', search: 'COIN' })).toEqual([
      { category: 'Economy', commands: [commandOf('Economy', 'deposit', 'Pay coin in')] },
    ]);
    expect(groupCommands(commands, { category: 'Tavern', search: 'coin' })).toEqual([]);
  });

  test('each category knows how many it has', () => {
    expect(countByCategory(commands)).toEqual([
      { category: 'Economy', count: 2 },
      { category: 'Tavern', count: 1 },
    ]);
  });

  test('links hold what is chosen, and nothing when nothing is', () => {
    expect(catalogueAddress({ category: '', search: '' })).toBe('/commands');
    expect(catalogueAddress({ category: 'A & B', search: 'x y' })).toBe('/commands?category=A+%26+B&q=x+y');
  });

  test.each(['deposit', 'guild set', 'a#b%', 'café 🍺'])('the link to %j leads back to it', (name) => {
    const address = commandAddress(name);
    expect(commandInHash(address.slice(address.indexOf('#')))).toBe(name);
  });

  test('a fragment that cannot be read names no command', () => {
    expect(commandInHash('#%E0%A4%A')).toBe('');
    expect(commandInHash('')).toBe('');
  });
});
