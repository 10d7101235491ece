import { byId, element } from './requests.js';

/**
 * @typedef {object} Suggestion
 * @property {string} label
 * @property {string} [note]
 * @property {string} [picture] The address of a small picture; an empty one shows the first letter.
 * @property {string} [tag] The text at the end of the row.
 * @property {() => void} choose
 */

/**
 * The list of suggestions above the line. One input at a time owns it, and keeps the focus while it is open.
 */
export function createSuggestionList() {
  const popup = byId('popup');
  const head = byId('popup-head');
  const list = byId('list');
  /** @type {HTMLInputElement | undefined} */
  let owner;
  /** @type {Suggestion[]} */
  let items = [];
  let active = -1;

  /** @param {number} index */
  function activate(index) {
    active = index;
    for (const [at, row] of [...list.children].entries()) {
      row.setAttribute('aria-selected', String(at === index));
      if (at === index) row.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) owner?.removeAttribute('aria-activedescendant');
    else owner?.setAttribute('aria-activedescendant', `suggestion-${index}`);
  }

  function close() {
    popup.hidden = true;
    items = [];
    list.replaceChildren();
    owner?.setAttribute('aria-expanded', 'false');
    owner?.removeAttribute('aria-activedescendant');
    owner = undefined;
    active = -1;
  }

  /**
   * @param {Suggestion} item
   * @param {number} index
   */
  function rowOf(item, index) {
    const row = element('div', 'suggestion');
    row.id = `suggestion-${index}`;
    row.setAttribute('role', 'option');
    if (item.picture === '') row.append(initialOf(item.label));
    else if (item.picture !== undefined) {
      const picture = document.createElement('img');
      picture.src = item.picture;
      picture.alt = '';
      picture.width = 24;
      picture.height = 24;
      row.append(picture);
    }
    row.append(element('span', 'label', item.label));
    if (item.note !== undefined) row.append(element('span', 'note', item.note));
    if (item.tag !== undefined) row.append(element('span', 'tag', item.tag));
    // The input keeps the focus.
    row.addEventListener('mousedown', (event) => event.preventDefault());
    row.addEventListener('click', () => item.choose());
    return row;
  }

  return {
    close,
    isOpen: () => !popup.hidden,
    /** The chosen suggestion; undefined when none is. */
    current: () => items[active],
    /**
     * @param {HTMLInputElement} input
     * @param {{ title: string; items: Suggestion[]; first: number }} shown
     */
    show(input, { title, items: next, first }) {
      if (owner !== input) close();
      owner = input;
      items = next;
      head.textContent = title;
      list.replaceChildren(...next.map(rowOf));
      popup.hidden = false;
      list.hidden = next.length === 0;
      list.scrollTop = 0;
      input.setAttribute('aria-expanded', String(next.length > 0));
      activate(Math.min(first, next.length - 1));
    },
    /** @param {number} step */
    move(step) {
      if (items.length > 0)
        activate((Math.max(active + step, active < 0 ? 0 : -1) + items.length) % items.length);
    },
  };
}

/** @param {string} label */
function initialOf(label) {
  const initial = element('span', 'initial', [...label][0]?.toUpperCase() ?? '');
  initial.setAttribute('aria-hidden', 'true');
  return initial;
}
