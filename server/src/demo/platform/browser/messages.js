import { writeTimes } from './page-times.js';
import { byId, post } from './requests.js';

const MESSAGES_MAX = 60;
/** Messages of one author within this time stand together. */
const GROUP_MS = 7 * 60_000;
const TIMES_EVERY_MS = 20_000;
/** The list follows new messages while its end is this near. */
const NEAR_PX = 120;

/**
 * Keeps the list of messages as the server describes it, and sends the presses of its buttons.
 * @param {() => string} writer The person who reads and presses.
 */
export function createMessages(writer) {
  const log = byId('log');
  const list = byId('messages');
  /** @type {EventSource | undefined} */
  let source;

  /** @param {() => void} work */
  function following(work) {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX;
    work();
    arrange(list);
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  }

  /** @param {{ id: string; revision: number; html: string }} message */
  function write({ id, revision, html }) {
    const present = document.getElementById(`message-${id}`);
    if (present?.dataset.revision === String(revision)) return;
    const template = document.createElement('template');
    // The server has escaped every text in it.
    template.innerHTML = html;
    const next = template.content.firstElementChild;
    if (next === null) return;
    following(() => {
      if (present === null) list.append(next);
      else present.replaceWith(next);
      while (list.children.length > MESSAGES_MAX) list.firstElementChild?.remove();
    });
  }

  /** Shows the messages that the writer sees, and each change. */
  function connect() {
    source?.close();
    source = new EventSource(`/channel/stream?as=${encodeURIComponent(writer())}`);
    source.addEventListener('present', ({ data }) => {
      const ids = new Set(JSON.parse(data).ids.map((/** @type {string} */ id) => `message-${id}`));
      for (const item of [...list.children]) if (!ids.has(item.id)) item.remove();
      arrange(list);
    });
    source.addEventListener('written', ({ data }) => write(JSON.parse(data)));
    source.addEventListener('removed', ({ data }) => {
      document.getElementById(`message-${JSON.parse(data).id}`)?.remove();
      arrange(list);
    });
  }

  list.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const item = button?.closest('li');
    if (!button || !item) return;
    const messageId = item.id.replace('message-', '');
    const body = { as: writer(), messageId };
    if (button.classList.contains('dismiss')) {
      await post('/channel/dismissals', body);
      return;
    }
    const buttons = [...item.querySelectorAll('button.button')];
    const enabled = buttons.filter((one) => one instanceof HTMLButtonElement && !one.disabled);
    for (const one of enabled) one.toggleAttribute('disabled', true);
    button.setAttribute('aria-busy', 'true');
    try {
      await post('/channel/buttons', { ...body, action: button.dataset.action });
    } finally {
      // The answer may have replaced the message; then these buttons are gone.
      for (const one of enabled) one.toggleAttribute('disabled', false);
      button.removeAttribute('aria-busy');
    }
  });

  arrange(list);
  log.scrollTop = log.scrollHeight;
  // Pictures make messages higher when they have loaded.
  list.addEventListener(
    'load',
    ({ target }) => {
      if (target instanceof HTMLImageElement && target.classList.contains('chart')) {
        const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX + target.height;
        if (isAtEnd) log.scrollTop = log.scrollHeight;
      }
    },
    true,
  );
  setInterval(() => writeTimes(list), TIMES_EVERY_MS);
  return { connect, scrollToEnd: () => log.scrollTo(0, log.scrollHeight) };
}

/** @param {HTMLElement} list */
function arrange(list) {
  /** @type {HTMLElement | undefined} */
  let before;
  for (const item of list.children) {
    if (!(item instanceof HTMLElement)) continue;
    const isSameAuthor = before !== undefined && before.dataset.author === item.dataset.author;
    const isSoon = Number(item.dataset.at) - Number(before?.dataset.at) < GROUP_MS;
    const isSameKind = before?.classList.contains('private') === item.classList.contains('private');
    const isFollowing = isSameAuthor && isSoon && isSameKind && item.querySelector('.use') === null;
    item.classList.toggle('following', isFollowing);
    before = item;
  }
  writeTimes(list);
}
