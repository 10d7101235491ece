import classes from './FieldList.module.css';
import { FieldRow } from './FieldRow.tsx';
import type { Parameter } from './reference/model.ts';

export function ParameterList({ parameters }: { parameters: Parameter[] }) {
  return (
    <ul className={classes.list}>
      {parameters.map((parameter) => (
        <FieldRow key={parameter.name} {...parameter} mark={parameter.isRequired ? 'required' : undefined} />
      ))}
    </ul>
  );
}
