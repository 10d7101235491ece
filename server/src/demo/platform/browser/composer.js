import { createChip, markChip, readChips, typedSoFar } from './chips.js';
import { askForChoices, isAsked, localChoices } from './option-choices.js';
import { matchingCommands, TYPES } from './option-values.js';
import { byId, element, post } from './requests.js';
import { createSuggestionList } from './suggestion-list.js';

/** @typedef {import('./option-values.js').Command} Command */
/** @typedef {import('./option-values.js').CommandOption} CommandOption */
/** @typedef {import('./suggestion-list.js').Suggestion} Suggestion */
/** @typedef {import('./chips.js').Chip} Chip */

const SUGGEST_AFTER_MS = 120;

/**
 * The line in which messages and commands are typed.
 * @param {{ writer: () => string; commands: Command[]; onUsed: () => void }} parts
 */
export function createComposer({ writer, commands, onUsed }) {
  const form = byId('line');
  const fields = byId('fields');
  const hint = byId('hint');
  const text = /** @type {HTMLInputElement} */ (byId('text'));
  const plainPlaceholder = text.placeholder;
  const list = createSuggestionList();
  /** @type {Command | undefined} */
  let command;
  /** @type {Chip[]} */
  let chips = [];
  /** Counts the requests for suggestions, so that a late answer is dropped. */
  let asked = 0;

  const unusedOptions = () =>
    (command?.options ?? []).filter((option) => chips.every((chip) => chip.option !== option));

  /** @param {Command} next */
  function begin(next) {
    reset();
    command = next;
    text.value = '';
    fields.prepend(element('span', 'pill', `/${next.name}`));
    form.classList.add('has-command');
    for (const option of next.options ?? []) if (option.required) addChip(option);
    goOn();
  }

  function reset() {
    asked += 1;
    command = undefined;
    chips = [];
    for (const part of fields.querySelectorAll('.pill, .chip')) part.remove();
    form.classList.remove('has-command');
    text.placeholder = plainPlaceholder;
    text.setAttribute('aria-label', 'Message or command');
    hint.textContent = '';
    list.close();
  }

  /** Back to typing the name of the command. */
  function abandon() {
    const name = command?.name;
    reset();
    text.value = name === undefined ? '' : `/${name}`;
    text.focus();
  }

  /** @param {CommandOption} option */
  function addChip(option) {
    const chip = createChip(option);
    text.before(chip.root);
    chips.push(chip);
    chip.input.addEventListener('input', () => {
      chip.chosen = undefined;
      markChip(chip, false);
      hint.textContent = '';
      suggestFor(chip);
    });
    chip.input.addEventListener('focus', () => suggestFor(chip));
    updateTail();
    return chip;
  }

  /** @param {Chip} chip */
  function removeChip(chip) {
    const at = chips.indexOf(chip);
    chips = chips.filter((one) => one !== chip);
    chip.root.remove();
    updateTail();
    (chips[at - 1]?.input ?? text).focus();
  }

  function updateTail() {
    const left = unusedOptions().length;
    text.placeholder = left === 0 ? '' : `+${left} optional`;
    text.setAttribute(
      'aria-label',
      left === 0 ? 'Press Enter to send' : 'Add an option, or press Enter to send',
    );
  }

  /** Focuses the next option without a value, or the end of the line. */
  function goOn() {
    const empty = chips.find(({ input }) => input.value === '');
    updateTail();
    (empty?.input ?? text).focus();
    if (empty === undefined && document.activeElement === text) suggestAtEnd();
  }

  /**
   * @param {Chip} chip
   * @param {{ name: string; value: string | number | boolean }} choice
   */
  function choose(chip, { name, value }) {
    chip.input.value = name;
    chip.chosen = value;
    markChip(chip, false);
    list.close();
    goOn();
  }

  /** @param {Chip} chip */
  async function suggestFor(chip) {
    const { option, input } = chip;
    asked += 1;
    const mine = asked;
    const title = `${option.name}: ${option.description}`;
    /** @param {import('./option-choices.js').Choice[]} choices */
    const show = (choices) => {
      if (mine !== asked || document.activeElement !== input) return;
      const items = choices.map((choice) => ({
        label: choice.name,
        ...(choice.picture !== undefined && { picture: choice.picture }),
        choose: () => choose(chip, choice),
      }));
      const isFree = option.type === TYPES.text && option.choices === undefined;
      list.show(input, { title, items, first: isFree ? -1 : 0 });
    };
    show(localChoices(option, input.value));
    if (option.autocomplete) await new Promise((resolve) => setTimeout(resolve, SUGGEST_AFTER_MS));
    if (mine !== asked || !isAsked(option)) return;
    const typed = { name: command?.name ?? '', options: typedSoFar(chips, chip) };
    show(await askForChoices(option, typed, writer()));
  }

  /** The options that can be added, at the end of the line. */
  function suggestAtEnd() {
    asked += 1;
    if (command === undefined) return;
    const typed = text.value.trim().toLowerCase();
    const items = unusedOptions()
      .filter(({ name }) => name.startsWith(typed))
      .map((option) => ({
        label: option.name,
        note: option.description,
        tag: 'optional',
        choose: () => {
          text.value = '';
          list.close();
          addChip(option).input.focus();
        },
      }));
    const title = `/${command.name}: ${command.description}`;
    list.show(text, { title, items, first: typed === '' ? -1 : 0 });
  }

  function suggestCommands() {
    asked += 1;
    const typed = /^\/(\S*)$/.exec(text.value)?.[1];
    const found = typed === undefined ? [] : matchingCommands(commands, typed);
    if (found.length === 0) {
      list.close();
      return;
    }
    const items = found.map((one) => ({
      label: `/${one.name}`,
      note: one.description,
      tag: 'Guildbook',
      choose: () => begin(one),
    }));
    list.show(text, { title: 'Commands', items, first: 0 });
  }

  function onText() {
    hint.textContent = '';
    const named = /^\/(\S+) $/.exec(text.value)?.[1];
    const exact = commands.find(({ name }) => name === named);
    if (command !== undefined) suggestAtEnd();
    else if (exact !== undefined) begin(exact);
    else suggestCommands();
  }

  async function send() {
    const as = writer();
    if (command === undefined) {
      const typed = text.value.trim();
      if (typed === '') return;
      if (typed.startsWith('/')) {
        hint.textContent = `There is no command ${typed.split(' ')[0]}.`;
        return;
      }
      text.value = '';
      await post('/channel/texts', { as, text: typed });
      return;
    }
    const read = readChips(chips);
    if ('problem' in read) {
      markChip(read.chip, true);
      hint.textContent = read.problem;
      read.chip.input.focus();
      return;
    }
    const { name } = command;
    reset();
    text.value = '';
    text.focus();
    onUsed();
    await post('/channel/commands', { as, name, options: read.options });
  }

  /** @param {KeyboardEvent} event */
  function onBackspace(event) {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || target.value !== '' || command === undefined) return;
    const chip = chips.find(({ input }) => input === target);
    event.preventDefault();
    if (chip !== undefined && !chip.option.required) removeChip(chip);
    else {
      const before = chip === undefined ? chips.at(-1) : chips[chips.indexOf(chip) - 1];
      if (before === undefined) abandon();
      else before.input.focus();
    }
  }

  fields.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const current = list.current();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!list.isOpen()) return;
      event.preventDefault();
      list.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && current !== undefined) {
      event.preventDefault();
      current.choose();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const empty = chips.find(({ input, option }) => option.required && input.value === '');
      if (empty !== undefined && document.activeElement !== empty.input) empty.input.focus();
      else report(send());
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (list.isOpen()) list.close();
      else {
        reset();
        text.value = '';
        text.focus();
      }
    } else if (event.key === 'Backspace') onBackspace(event);
  });
  fields.addEventListener('focusout', () => {
    // The next element has the focus only after this event.
    setTimeout(() => {
      if (!fields.contains(document.activeElement)) list.close();
    });
  });
  fields.addEventListener('mousedown', (event) => {
    if (event.target !== fields) return;
    event.preventDefault();
    text.focus();
  });
  text.addEventListener('input', onText);
  text.addEventListener('focus', () => (command === undefined ? suggestCommands() : suggestAtEnd()));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    report(send());
  });

  /** @param {Promise<void>} work */
  function report(work) {
    work.catch(() => {
      hint.textContent = 'That could not be sent. Is the try-out still running?';
    });
  }

  return {
    /**
     * Takes a command into the line, and sends it when it needs nothing else.
     * @param {Command} next
     */
    use(next) {
      begin(next);
      if (!next.options?.some(({ required }) => required)) report(send());
    },
  };
}
