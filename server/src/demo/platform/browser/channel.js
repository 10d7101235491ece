import { createComposer } from './composer.js';
import { createMessages } from './messages.js';
import { byId, element, get } from './requests.js';

/** The commands to try first, where they exist. */
const IDEAS = ['balance', 'leaderboard', 'pay'];

const people = byId('people');
const peopleButton = byId('people-button');
const ideas = byId('ideas');
const radios = /** @type {HTMLInputElement[]} */ ([...people.querySelectorAll('input[name="as"]')]);
const writer = () => radios.find(({ checked }) => checked)?.value ?? '';
const messages = createMessages(writer);

function showWriter() {
  const person = radios.find(({ checked }) => checked)?.closest('label');
  const picture = person?.querySelector('.picture')?.cloneNode(true);
  const name = person?.querySelector('.name')?.textContent ?? '';
  byId('people-now').replaceChildren(...(picture ? [picture] : []), element('span', 'name', name));
  peopleButton.setAttribute('aria-label', `Write as ${name}: choose another person`);
  history.replaceState(null, '', `/channel?as=${encodeURIComponent(writer())}`);
  messages.connect();
}

/** @param {boolean} isOpen */
function openPeople(isOpen) {
  peopleButton.setAttribute('aria-expanded', String(isOpen));
  people.classList.toggle('is-open', isOpen);
}

peopleButton.addEventListener('click', () => {
  const isOpen = peopleButton.getAttribute('aria-expanded') !== 'true';
  openPeople(isOpen);
  if (isOpen) radios.find(({ checked }) => checked)?.focus();
});
people.addEventListener('change', showWriter);
people.addEventListener('click', ({ target, detail }) => {
  // A click of a mouse or finger closes the sheet; the arrow keys, which click too, do not.
  if (target instanceof HTMLElement && detail > 0 && target.closest('label')) openPeople(false);
});
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && people.classList.contains('is-open')) {
    openPeople(false);
    peopleButton.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  const isOutside = target instanceof Node && !people.contains(target) && !peopleButton.contains(target);
  if (isOutside) openPeople(false);
});

// Some phones lay their keyboard over the page instead of making it lower.
visualViewport?.addEventListener('resize', () => {
  const height = visualViewport?.height ?? innerHeight;
  document.documentElement.style.setProperty('--height', `${height}px`);
  messages.scrollToEnd();
});

showWriter();
const commands = /** @type {import('./option-values.js').Command[]} */ (await get('/channel/commands'));
const composer = createComposer({
  writer,
  commands,
  onUsed: () => {
    ideas.hidden = true;
    messages.scrollToEnd();
  },
});
for (const name of IDEAS) {
  const command = commands.find((one) => one.name === name);
  if (command === undefined) continue;
  const idea = element('button', 'idea');
  idea.setAttribute('type', 'button');
  idea.append(element('strong', '', `/${name}`), element('span', '', command.description));
  idea.addEventListener('click', () => composer.use(command));
  ideas.append(idea);
}
ideas.hidden = ideas.children.length === 0;
messages.scrollToEnd();
document.documentElement.dataset.ready = 'true';
