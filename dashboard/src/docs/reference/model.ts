// The content of the page, read once from the OpenAPI document. References are resolved, so that the components need
// not know the document.

export interface Reference {
  title: string;
  version: string;
  summary: string;
  description: string;
  /** The path before every operation's own path, without a trailing slash; usually empty. */
  basePath: string;
  groups: OperationGroup[];
  /** The credentials that this page can send, in the document's order. */
  credentials: CredentialScheme[];
}

export interface OperationGroup {
  name: string;
  description: string;
  operations: Operation[];
}

export interface CredentialScheme {
  /** The scheme's name in the document. */
  id: string;
  kind: 'api-key' | 'bearer';
  /** The header that carries it. */
  header: string;
  description: string;
}

export interface Operation {
  /** The operationId; also the section's address on the page. */
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  scope: string | undefined;
  rateLimit: string | undefined;
  security: Security;
  parameters: Parameter[];
  body: RequestBody | undefined;
  responses: ResponseDoc[];
}

export interface Security {
  /** Sets of scheme names; one complete set is enough. */
  alternatives: string[][];
  /** True when the operation also answers without any credential. */
  isOptional: boolean;
}

export type ParameterPlace = 'path' | 'query' | 'header';

export interface Parameter {
  place: ParameterPlace;
  name: string;
  description: string;
  isRequired: boolean;
  isDeprecated: boolean;
  schema: SchemaNode;
  example: string | undefined;
}

export interface RequestBody {
  contentType: string;
  description: string;
  isRequired: boolean;
  schema: SchemaNode;
  examples: Example[];
}

export interface ResponseDoc {
  /** A status code, a range such as 4XX, or "default". */
  status: string;
  description: string;
  headers: HeaderDoc[];
  contentType: string | undefined;
  schema: SchemaNode | undefined;
  examples: Example[];
}

export interface HeaderDoc {
  name: string;
  description: string;
  schema: SchemaNode;
  example: string | undefined;
}

export interface Example {
  name: string;
  /** JSON is indented; other text is unchanged. */
  text: string;
}

export interface SchemaNode {
  /** The names of its types, with formats in place of "string" where they are known: `array`, `integer`, `date-time`, `null`. */
  types: readonly string[];
  /** The types in words of the page's language: "string", "array of objects", "integer or null". */
  label: string;
  description: string;
  isDeprecated: boolean;
  /** Limits in words, as inline Markdown: "at least 1", "at most 255 characters". */
  limits: string[];
  /** The closed list of values, if there is one, in JSON without quotes. */
  allowed: string[];
  defaultText: string | undefined;
  /** A value to show or to start from; undefined when the document has none. */
  example: unknown;
  fields: SchemaField[];
  item: SchemaNode | undefined;
  /** The alternatives of oneOf and anyOf. */
  variants: SchemaNode[];
}

export interface SchemaField {
  name: string;
  isRequired: boolean;
  schema: SchemaNode;
}
