/**
 * @typedef {object} CommandOption
 * @property {string} name
 * @property {string} description
 * @property {number} type
 * @property {boolean} [required]
 * @property {boolean} [autocomplete]
 * @property {number} [min_value]
 * @property {number} [max_value]
 * @property {number} [max_length]
 * @property {{ name: string; value: string | number }[]} [choices]
 */

/** @typedef {{ name: string; description: string; options?: CommandOption[] }} Command */

export const TYPES = { text: 3, integer: 4, flag: 5, member: 6, number: 10 };

/**
 * Reads the text of an option, or explains what is wrong with it.
 * @param {CommandOption} option
 * @param {string} text
 * @param {string | number | boolean | undefined} chosen The value of the suggestion that was chosen.
 * @returns {{ value: string | number | boolean } | { problem: string }}
 */
export function readValue(option, text, chosen) {
  if (chosen !== undefined) return { value: chosen };
  const typed = text.trim();
  if (typed === '') return { problem: `${option.name} is missing.` };
  if (option.type === TYPES.member) return { problem: `Choose ${option.name} from the list.` };
  if (option.type === TYPES.flag) return readFlag(option, typed);
  if (option.type === TYPES.integer || option.type === TYPES.number) return readNumber(option, typed);
  return { value: typed };
}

/**
 * @param {CommandOption} option
 * @param {string} typed
 */
function readFlag({ name }, typed) {
  if (/^(true|yes)$/i.test(typed)) return { value: true };
  return /^(false|no)$/i.test(typed) ? { value: false } : { problem: `${name} is True or False.` };
}

/**
 * @param {CommandOption} option
 * @param {string} typed
 */
function readNumber({ name, type, min_value: min, max_value: max }, typed) {
  const value = Number(typed);
  if (type === TYPES.integer && !Number.isInteger(value))
    return { problem: `${name} has to be a whole number, such as 25.` };
  if (!Number.isFinite(value)) return { problem: `${name} has to be a number such as 25 or 12.5.` };
  if (min !== undefined && value < min) return { problem: `${name} has to be at least ${min}.` };
  if (max !== undefined && value > max) return { problem: `${name} can be ${max} at most.` };
  return { value };
}

/**
 * The commands that fit what was typed after the slash, the best first.
 * @param {Command[]} commands
 * @param {string} typed
 */
export function matchingCommands(commands, typed) {
  const text = typed.toLowerCase();
  const begins = commands.filter(({ name }) => name.startsWith(text));
  return [...begins, ...commands.filter(({ name }) => !name.startsWith(text) && name.includes(text))];
}
