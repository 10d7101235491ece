import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { i18n } from './i18n.ts';

interface TransProps {
  id: string;
  /** The English message, compiled by the build. */
  message?: string;
  values?: Readonly<Record<string, ReactNode>>;
  /** The elements of the message by the names of their tags. */
  components?: Readonly<Record<string, ReactElement>>;
}

/**
 * A message with elements in it. The macro `Trans` becomes this. Values are inserted after the tags were read: a name that looks like
 * a tag stays text. The language never changes, so no context is needed.
 */
export function Trans({ id, message, values = {}, components = {} }: TransProps) {
  const inserted: ReactNode[] = [];
  const marked = Object.entries(values).map(([name, value]) => [
    name,
    // Plurals need the number itself.
    typeof value === 'number' ? value : `\ue100${inserted.push(value) - 1}\ue101`,
  ]);
  const text = i18n._(id, Object.fromEntries(marked), message === undefined ? {} : { message });
  return readElements(text, components, inserted);
}

const tagOrMark = /<(\/?)([\w.-]+)(\/?)>|\ue100(\d+)\ue101/g;

interface Open {
  element: ReactElement | undefined;
  children: ReactNode[];
}

function readElements(
  text: string,
  components: NonNullable<TransProps['components']>,
  inserted: ReactNode[],
) {
  const outermost: Open = { element: undefined, children: [] };
  const open: Open[] = [outermost];
  const add = (node: ReactNode) => open.at(-1)?.children.push(node);
  let end = 0;
  for (const match of text.matchAll(tagOrMark)) {
    const [whole, isClosing, name = '', isEmpty, mark] = match;
    const element = components[name];
    if (mark === undefined && element === undefined) continue;
    if (match.index > end) add(text.slice(end, match.index));
    end = match.index + whole.length;
    if (mark !== undefined) add(inserted[Number(mark)]);
    else if (element !== undefined && isEmpty) add(element);
    else if (element !== undefined && !isClosing) open.push({ element, children: [] });
    else if (open.length > 1) add(closed(open.pop()));
  }
  add(text.slice(end));
  return createElement(Fragment, undefined, ...outermost.children);
}

function closed({ element, children }: Open = { element: undefined, children: [] }): ReactNode {
  return element && cloneElement(element, undefined, ...children);
}
