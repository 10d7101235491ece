import { TYPES } from './option-values.js';
import { get, post } from './requests.js';

/** @typedef {import('./option-values.js').CommandOption} CommandOption */
/** @typedef {{ name: string; value: string | number | boolean; picture?: string }} Choice */

/**
 * The choices that the page knows by itself.
 * @param {CommandOption} option
 * @param {string} text
 * @returns {Choice[]}
 */
export function localChoices(option, text) {
  const typed = text.trim().toLowerCase();
  const flags = [
    { name: 'True', value: true },
    { name: 'False', value: false },
  ];
  const all = option.type === TYPES.flag ? flags : (option.choices ?? []);
  return all.filter(({ name }) => name.toLowerCase().includes(typed));
}

/**
 * True when the choices come from the chat platform or the application.
 * @param {CommandOption} option
 */
export function isAsked(option) {
  return option.type === TYPES.member || option.autocomplete === true;
}

/**
 * @param {CommandOption} option
 * @param {{ name: string; options: import('./requests.js').GivenOption[] }} command
 * @param {string} as
 * @returns {Promise<Choice[]>}
 */
export async function askForChoices(option, command, as) {
  if (option.type === TYPES.member) {
    const typed = command.options.find(({ focused }) => focused)?.value ?? '';
    return findMembers(String(typed));
  }
  const answer = /** @type {{ choices: Choice[] }} */ (
    await post('/channel/suggestions', { as, ...command }).catch(() => ({ choices: [] }))
  );
  return answer.choices;
}

/**
 * @param {string} typed
 * @returns {Promise<Choice[]>}
 */
async function findMembers(typed) {
  const found = /** @type {{ chatId: string; username: string; avatar?: string }[]} */ (
    await get(`/channel/members?text=${encodeURIComponent(typed)}`).catch(() => [])
  );
  return found.map(({ chatId, username, avatar }) => ({
    name: username,
    value: chatId,
    picture: avatar === undefined ? '' : `/pictures/avatars/${chatId}/${avatar}.png`,
  }));
}
