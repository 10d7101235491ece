import { Markdown } from '../components/Markdown.tsx';
import classes from './GroupSection.module.css';
import { groupId } from './navigation.ts';
import { OperationSection } from './OperationSection.tsx';
import type { OperationGroup, Reference } from './reference/model.ts';

export function GroupSection({ group, reference }: { group: OperationGroup; reference: Reference }) {
  return (
    <section className={classes.group} aria-labelledby={groupId(group)}>
      <div className={classes.heading}>
        <h2 id={groupId(group)} className={classes.title}>
          {group.name}
        </h2>
        <Markdown text={group.description} topLevel={3} />
      </div>
      {group.operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} reference={reference} />
      ))}
    </section>
  );
}
