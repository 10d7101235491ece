import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Trans } from '../src/texts/Trans.tsx';

const components = { 0: createElement('b'), bdi: createElement('bdi'), 1: createElement('br') };
// The build compiles messages to such lists.
const render = (message: unknown, values = {}) =>
  renderToStaticMarkup(
    createElement(Trans, { id: 'unknown', message: message as string, values, components }),
  );

test('a message is shown with its elements, in its own order', () => {
  expect(render(['A <0>b <bdi>', ['name'], '</bdi></0> c<1/>.'], { name: 'Robin' })).toBe(
    'A <b>b <bdi>Robin</bdi></b> c<br/>.',
  );
});

test('an element can be a value', () => {
  expect(render([['who'], ' came'], { who: createElement('i', null, 'Robin') })).toBe('<i>Robin</i> came');
});

test('the count of a plural is formatted', () => {
  const plural = ['count', 'plural', { one: ['#', ' <0>key</0>'], other: ['#', ' <0>keys</0>'] }];
  expect(render([plural], { count: 1204 })).toBe('1,204 <b>keys</b>');
});

test.each(['<0>Robin</0>', '</0>', '<script>x</script>', '<1/>', '{name}', '\ue1001\ue101'])(
  'the name %s stays text',
  (name) => {
    const shown = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(render(['A <0>', ['name'], '</0>'], { name })).toBe(`A <b>${shown}</b>`);
  },
);
