import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import classes from './FieldList.module.css';
import { FieldRow } from './FieldRow.tsx';
import type { SchemaField, SchemaNode } from './reference/model.ts';

// Fields at this depth are collapsed.
const openDepth = 2;

/** A schema as a tree of fields, starting with those of the outermost object. */
export function SchemaTree({ schema, isAnswer = false }: { schema: SchemaNode; isAnswer?: boolean }) {
  const inner = innermost(schema);
  if (inner.fields.length > 0) {
    return (
      <>
        {schema.item && (
          <p className={classes.variant}>
            <Trans>{capitalized(schema.label)}, each with:</Trans>
          </p>
        )}
        <FieldItems fields={inner.fields} depth={0} isAnswer={isAnswer} />
      </>
    );
  }
  if (inner.variants.length > 0) return <Variants variants={inner.variants} depth={0} isAnswer={isAnswer} />;
  return (
    <ul className={classes.list}>
      <FieldRow name={t`(value)`} schema={schema} description={schema.description} />
    </ul>
  );
}

interface BranchProps {
  depth: number;
  /** True for the schema of an answer, false for a request. */
  isAnswer: boolean;
}

function FieldItems({ fields, depth, isAnswer }: BranchProps & { fields: SchemaField[] }) {
  return (
    <ul className={classes.list}>
      {fields.map(({ name, schema, isRequired }) => (
        <FieldRow
          key={name}
          name={name}
          schema={schema}
          description={schema.description}
          mark={markOf(isRequired, isAnswer)}
          isDeprecated={schema.isDeprecated}
        >
          <Inside schema={schema} depth={depth + 1} isAnswer={isAnswer} />
        </FieldRow>
      ))}
    </ul>
  );
}

function Inside({ schema, depth, isAnswer }: BranchProps & { schema: SchemaNode }) {
  const { fields, variants } = innermost(schema);
  if (variants.length > 0) return <Variants variants={variants} depth={depth} isAnswer={isAnswer} />;
  if (fields.length === 0) return null;
  return (
    <details className={classes.inner} open={depth <= openDepth}>
      <summary>
        {schema.item
          ? plural(fields.length, { one: '# field in each', other: '# fields in each' })
          : plural(fields.length, { one: '# field', other: '# fields' })}
      </summary>
      <FieldItems fields={fields} depth={depth} isAnswer={isAnswer} />
    </details>
  );
}

function Variants({ variants, depth, isAnswer }: BranchProps & { variants: SchemaNode[] }) {
  return variants.map((variant, index) => (
    <div key={String(index)}>
      <p className={classes.variant}>{variantText(index === 0, variant)}</p>
      <Inside schema={variant} depth={depth + 1} isAnswer={isAnswer} />
    </div>
  ));
}

function variantText(isFirst: boolean, { label, description }: SchemaNode): string {
  if (description === '') return isFirst ? t`Either ${label}` : t`or ${label}`;
  return isFirst ? t`Either ${label}: ${description}` : t`or ${label}: ${description}`;
}

// Only exceptions are marked: callers may leave most fields out, the service sends nearly all of them.
function markOf(isRequired: boolean, isAnswer: boolean): 'required' | 'optional' | undefined {
  if (isAnswer) return isRequired ? undefined : 'optional';
  return isRequired ? 'required' : undefined;
}

/** The element schema of nested arrays. */
function innermost(schema: SchemaNode): SchemaNode {
  return schema.item ? innermost(schema.item) : schema;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
