import { parseSync } from 'vite';

// Finds texts of the dashboard that are not in the catalogues: texts in JSX outside of `Trans`, texts in attributes that people
// see, and sentences in strings without a macro. A macro outside of a function is a fault, too: it would run before the texts of
// the page's language are loaded.

interface Node {
  type: string;
  start: number;
  [name: string]: unknown;
}

/** Macros whose content is in the catalogues. */
const MACROS = new Set(['t', 'msg', 'plural', 'select', 'Trans', 'Plural', 'Select']);
/** Elements whose content is code. */
const CODE = new Set(['code', 'kbd', 'pre', 'style']);
/** Attributes and properties that people read. */
const VISIBLE =
  /^(?:label|title|placeholder|description|alt|error|failure|explanation|caption|lead|heading|copyLabel|nothingFoundMessage|aria-label|aria-description|aria-valuetext)$/;
/** Calls whose strings are for programs. */
const PROGRAM_CALLS =
  /(?:^|\.)(?:commandLine|shellQuote|readReply|useMediaQuery|matchMedia|querySelector|querySelectorAll|closest|createElement|setAttribute|includes|startsWith|endsWith|wordsOf)$/;
const PROGRAM_ATTRIBUTES =
  /^(?:className|class|d|viewBox|href|to|style|valueFormat|data-.*|rel|points|transform)$/;

/** The faults of one source file, each with its line. */
export function findOutsideTexts(file: string, source: string): string[] {
  const { program } = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  const faults: string[] = [];
  const report = (node: Node, what: string) => {
    const line = source.slice(0, node.start).split('\n').length;
    faults.push(`${file}:${line}: ${what}`);
  };
  visit(program as unknown as Node, [], (node, parents) => {
    if (isMacro(node) && !parents.some(({ type }) => type.includes('Function'))) {
      report(node, 'a macro outside of a function');
    }
    const text = outsideText(node, parents);
    if (text !== undefined) report(node, `text outside of the catalogues: ${text}`);
  });
  return faults;
}

function visit(
  node: Node,
  parents: readonly Node[],
  see: (node: Node, parents: readonly Node[]) => void,
): void {
  see(node, parents);
  const inside = [...parents, node];
  for (const [name, value] of Object.entries(node)) {
    if (/^(?:typeAnnotation|typeArguments|typeParameters|returnType)$/.test(name)) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, inside, see);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (value.type === 'MemberExpression') return `${nameOf(value.object)}.${nameOf(value.property)}`;
  const name = value.name ?? value.value;
  return typeof name === 'string' ? name : isNode(name) ? nameOf(name) : '';
}

function isMacro({ type, tag, callee }: Node): boolean {
  if (type === 'TaggedTemplateExpression') return nameOf(tag) === 't';
  return type === 'CallExpression' && /^(?:t|plural|select)$/.test(nameOf(callee));
}

function outsideText(node: Node, parents: readonly Node[]): string | undefined {
  const text = textOf(node);
  if (text === undefined || !/\p{L}{2}/u.test(text)) return undefined;
  if (parents.some((parent) => isInCatalogue(parent) || isForPrograms(parent, node))) return undefined;
  if (node.type === 'JSXText') return text.trim();
  const holder = parents.findLast(({ type }) => /^(?:JSXAttribute|Property|CallExpression)$/.test(type));
  const isValue = holder !== undefined && holder.type !== 'CallExpression' && holder.key !== node;
  const isVisible = isValue && VISIBLE.test(nameOf(holder.name) || nameOf(holder.key));
  const isWord = /^\p{Lu}\p{Ll}+(?:[ ….?!]|$)/u.test(text);
  return (isVisible && isWord) || isSentence(text) ? text : undefined;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined;
  return node.quasis.map((part: { value: { cooked: string } }) => part.value.cooked).join('{}');
}

/** Two words or more, the first with a capital. */
function isSentence(text: string): boolean {
  return /^\p{Lu}[\p{Ll}’]*(?:,|:)? (?:\{\}|[\p{L}“])/u.test(text) && !/^[A-Z]+ \/|=>|monospace/.test(text);
}

function isInCatalogue(parent: Node): boolean {
  if (parent.type === 'TaggedTemplateExpression') return MACROS.has(nameOf(parent.tag));
  if (parent.type === 'CallExpression') return MACROS.has(nameOf(parent.callee));
  if (parent.type !== 'JSXElement' || !isNode(parent.openingElement)) return false;
  const name = nameOf(parent.openingElement.name);
  return MACROS.has(name) || CODE.has(name);
}

function isForPrograms(parent: Node, node: Node): boolean {
  switch (parent.type) {
    case 'NewExpression':
      return nameOf(parent.callee) === 'Error';
    case 'CallExpression':
      return PROGRAM_CALLS.test(nameOf(parent.callee));
    case 'JSXAttribute':
      return PROGRAM_ATTRIBUTES.test(nameOf(parent.name));
    case 'Property':
      return parent.key === node || PROGRAM_ATTRIBUTES.test(nameOf(parent.key));
    case 'BinaryExpression':
      return parent.operator !== '+';
    case 'ImportDeclaration':
    case 'SwitchCase':
      return parent.type === 'ImportDeclaration' || parent.test === node;
    default:
      return false;
  }
}
