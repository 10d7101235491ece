import { readValue, TYPES } from './option-values.js';
import { element } from './requests.js';

/** @typedef {import('./option-values.js').CommandOption} CommandOption */

/**
 * An option of the command in the line.
 * @typedef {object} Chip
 * @property {CommandOption} option
 * @property {HTMLElement} root
 * @property {HTMLInputElement} input
 * @property {string | number | boolean | undefined} chosen The value of the suggestion that was chosen.
 */

const CHARACTERS_MAX = 100;

/**
 * @param {CommandOption} option
 * @returns {Chip}
 */
export function createChip(option) {
  const root = element('label', 'chip');
  const input = document.createElement('input');
  const attributes = {
    type: 'text',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'next',
    ...(option.type === TYPES.number && { inputmode: 'decimal' }),
    ...(option.type === TYPES.integer && { inputmode: 'numeric' }),
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  input.maxLength = option.max_length ?? CHARACTERS_MAX;
  root.append(element('span', 'chip-name', option.name), input);
  return { option, root, input, chosen: undefined };
}

/**
 * @param {Chip} chip
 * @param {boolean} isWrong
 */
export function markChip({ root, input }, isWrong) {
  root.classList.toggle('is-wrong', isWrong);
  if (isWrong) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/**
 * The options of a command, or the first chip that is wrong. Optional ones without a text are left out.
 * @param {Chip[]} chips
 * @returns {{ options: import('./requests.js').GivenOption[] } | { chip: Chip; problem: string }}
 */
export function readChips(chips) {
  const options = [];
  for (const chip of chips) {
    const { option, input, chosen } = chip;
    if (!option.required && input.value.trim() === '') continue;
    const read = readValue(option, input.value, chosen);
    if ('problem' in read) return { chip, problem: read.problem };
    options.push({ name: option.name, type: option.type, value: read.value });
  }
  return { options };
}

/**
 * The options so far, for suggestions to one of them.
 * @param {Chip[]} chips
 * @param {Chip} focused
 */
export function typedSoFar(chips, focused) {
  return chips
    .filter((chip) => chip === focused || chip.input.value !== '')
    .map((chip) => ({
      name: chip.option.name,
      type: chip.option.type,
      value: chip === focused ? chip.input.value : (chip.chosen ?? chip.input.value),
      ...(chip === focused && { focused: true }),
    }));
}
