import type { APIInteractionResponse } from 'discord-api-types/v10';
import { expect } from 'vitest';

interface Embed {
  title?: string;
  description?: string;
  fields?: { name: string; value: string }[];
  footer?: { text: string };
}

/** A message of Discord, as far as tests look at it. */
export interface Message {
  content?: string;
  embeds?: Embed[];
  components?: { type: number; components: { type: number; label?: string; custom_id?: string }[] }[];
  allowed_mentions?: { parse?: string[] };
  flags?: number;
}

/** The limits of https://discord.com/developers/docs for messages, embeds, components and suggestions. */
export function assertWithinLimits(answer: APIInteractionResponse): void {
  expect([1, 4, 5, 6, 7, 8]).toContain(answer.type);
  if (answer.type === 4 || answer.type === 7) {
    assertMessage((answer as { data: Message }).data);
  }
  if (answer.type === 8) {
    const choices = (answer as { data: { choices?: { name: string; value: string }[] } }).data.choices ?? [];
    expect(choices.length).toBeLessThanOrEqual(25);
    for (const { name, value } of choices) {
      expect(name.length).toBeGreaterThanOrEqual(1);
      expect(name.length).toBeLessThanOrEqual(100);
      expect(value.length).toBeLessThanOrEqual(100);
    }
  }
}

export function assertMessage(message: Message): void {
  const { content = '', embeds = [], components = [] } = message;
  expect(message.allowed_mentions).toEqual({ parse: [] });
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(content.length + embeds.length).toBeGreaterThan(0);
  expect(embeds.length).toBeLessThanOrEqual(10);
  let characters = 0;
  for (const { title = '', description = '', fields = [], footer } of embeds) {
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4_096);
    expect(fields.length).toBeLessThanOrEqual(25);
    expect(footer?.text.length ?? 0).toBeLessThanOrEqual(2_048);
    characters += title.length + description.length + (footer?.text.length ?? 0);
    for (const { name, value } of fields) {
      expect(name.length).toBeGreaterThanOrEqual(1);
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeGreaterThanOrEqual(1);
      expect(value.length).toBeLessThanOrEqual(1_024);
      characters += name.length + value.length;
    }
  }
  expect(characters).toBeLessThanOrEqual(6_000);
  expect(components.length).toBeLessThanOrEqual(5);
  const ids: string[] = [];
  for (const { type, components: buttons } of components) {
    expect(type).toBe(1);
    expect(buttons.length).toBeGreaterThanOrEqual(1);
    expect(buttons.length).toBeLessThanOrEqual(5);
    for (const { label = '', custom_id: id = '' } of buttons) {
      expect(label.length).toBeGreaterThanOrEqual(1);
      expect(label.length).toBeLessThanOrEqual(80);
      expect(id.length).toBeGreaterThanOrEqual(1);
      expect(id.length).toBeLessThanOrEqual(100);
      ids.push(id);
    }
  }
  expect(new Set(ids).size).toBe(ids.length);
}
