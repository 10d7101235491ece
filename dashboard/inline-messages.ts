import type { NodePath, PluginObj } from '@babel/core';
import { types as babel } from '@babel/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

interface State {
  opts: { ids?: Set<string> };
}

/**
 * A plugin of Babel that runs after Lingui's. It compiles the English messages, so that the browser needs no parser for them, and
 * notes their ids.
 */
export function inlineMessages(): PluginObj<State> {
  return {
    visitor: {
      Program: {
        exit(program, { opts }) {
          program.traverse({
            ObjectExpression(path) {
              const id = inlineMessage(path);
              if (id !== undefined) opts.ids?.add(id);
            },
          });
        },
      },
    },
  };
}

function inlineMessage(path: NodePath<babel.ObjectExpression>): string | undefined {
  const id = textProperty(path.node, 'id');
  const message = textProperty(path.node, 'message');
  if (id === undefined || message === undefined) return undefined;
  message.value = babel.valueToNode(compiled(textOf(message)));
  return textOf(id);
}

/** A message without placeholders stays a string. */
export function compiled(message: string): unknown {
  const tokens = compileMessageOrThrow(message);
  const [only] = tokens;
  return tokens.length === 1 && typeof only === 'string' ? only : tokens;
}

function textProperty(node: babel.ObjectExpression, name: string): babel.ObjectProperty | undefined {
  return node.properties.find(
    (property): property is babel.ObjectProperty =>
      babel.isObjectProperty(property) &&
      babel.isIdentifier(property.key, { name }) &&
      babel.isStringLiteral(property.value),
  );
}

function textOf({ value }: babel.ObjectProperty): string {
  return babel.isStringLiteral(value) ? value.value : '';
}
