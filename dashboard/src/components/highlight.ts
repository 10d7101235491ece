export type Language = 'json' | 'shell' | 'typescript' | 'python' | 'luau' | 'text';

export type TokenKind = 'name' | 'string' | 'number' | 'word' | 'mark' | 'plain';

export interface Token {
  kind: TokenKind;
  text: string;
}

// Colouring creates an element per token; longer texts would make the page slow.
const coloredCharactersMax = 60_000;

// Each pattern names its groups after the kinds of tokens. The patterns only colour: text that matches none stays
// plain and is never lost.
const patterns: Record<Exclude<Language, 'text'>, RegExp> = {
  json: /(?<name>"(?:\\.|[^"\\\n])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\\n])*")|(?<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|(?<word>\b(?:true|false|null)\b)|(?<mark>[{}[\],:])/g,
  shell:
    /(?<string>'[^']*'(?:\\''[^']*')*|"(?:\\.|[^"\\])*")|(?<number>\$\w+)|(?<word>^(?:curl|npx|npm)\b)|(?<name>(?<=\s)--?[a-zA-Z][\w-]*)|(?<mark>\\$)/gm,
  typescript:
    /(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`[^`]*`)|(?<number>-?\b\d+(?:\.\d+)?\b)|(?<word>\b(?:const|await|new|true|false|null|return|throw|if|import|from(?= '))\b)|(?<name>\b[\w$]+(?=\s*[:(]))|(?<mark>[{}[\](),:;])/g,
  python:
    /(?<string>"(?:\\.|[^"\\\n])*")|(?<number>-?\b\d+(?:\.\d+)?\b)|(?<word>\b(?:import|from|with|as|True|False|None)\b)|(?<name>\b\w+(?=[=(]))|(?<mark>[{}[\](),:=])/g,
  luau: /(?<string>"(?:\\.|[^"\\\n])*"|\[(?<bars>=*)\[[\s\S]*?\]\k<bars>\])|(?<number>-?\b\d+(?:\.\d+)?\b)|(?<word>\b(?:local|if|not|then|end|true|false|nil)\b)|(?<name>\b\w+(?=\s*[=(]))|(?<mark>[{}[\](),=])/g,
};

const kinds: TokenKind[] = ['name', 'string', 'number', 'word', 'mark'];

export function highlight(text: string, language: Language): Token[] {
  if (language === 'text' || text.length > coloredCharactersMax) return [{ kind: 'plain', text }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(patterns[language])) {
    if (match.index > end) tokens.push({ kind: 'plain', text: text.slice(end, match.index) });
    const kind = kinds.find((candidate) => match.groups?.[candidate] !== undefined) ?? 'plain';
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: 'plain', text: text.slice(end) });
  return tokens;
}
