/** Marks the titles that were set here, so that they can be removed when the text fits again. */
const mark = 'data-cut';
/** A name is at most this deep inside the element that cuts it off. */
const stepsMax = 5;

/**
 * Shows the whole of a text as a tooltip while its place cuts it off with an ellipsis. Elements with a title of their own keep
 * it. Returns a function that stops this.
 */
export function showCutTexts(): () => void {
  const onOver = ({ target }: MouseEvent) => {
    let element = target instanceof Element ? target : null;
    for (let step = 0; element !== null && step < stepsMax; step += 1) {
      const isOurs = element.hasAttribute(mark);
      if (element.hasAttribute('title') && !isOurs) return;
      if (isCut(element)) {
        element.setAttribute('title', element.textContent.trim());
        element.setAttribute(mark, '');
        return;
      }
      if (isOurs) {
        element.removeAttribute('title');
        element.removeAttribute(mark);
      }
      element = element.parentElement;
    }
  };
  document.addEventListener('mouseover', onOver, { passive: true });
  return () => document.removeEventListener('mouseover', onOver);
}

function isCut(element: Element): boolean {
  const { overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (overflowY !== 'hidden') return false;
  if (webkitLineClamp !== 'none') return element.scrollHeight > element.clientHeight + 1;
  return textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
}
