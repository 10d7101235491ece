import { t } from '@lingui/core/macro';
import { parseMarkdown } from '../components/markdown.ts';
import type { Operation, OperationGroup, Reference } from './reference/model.ts';

export const introductionId = 'introduction';

/** The address of a group's heading. Its slash distinguishes it from every operationId. */
export function groupId(group: OperationGroup): string {
  return `tag/${group.name}`;
}

export interface PageSection {
  id: string;
  title: string;
}

/** The introduction and the headings within it. */
export function introductionSections(reference: Reference): PageSection[] {
  const headings = parseMarkdown(reference.description).flatMap((block) =>
    block.kind === 'heading' && block.level <= 2 ? [{ id: block.id, title: block.text }] : [],
  );
  return [{ id: introductionId, title: t`Introduction` }, ...headings];
}

/** All addresses of the page, in page order. */
export function sectionIds(reference: Reference): string[] {
  const introduction = introductionSections(reference).map((section) => section.id);
  return [...introduction, ...reference.groups.flatMap((group) => group.operations.map(({ id }) => id))];
}

/** Groups with the operations that contain every word of the search. */
export function searchGroups(groups: OperationGroup[], search: string): OperationGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map((group) => {
      const matches = (operation: Operation) => {
        const text = searchText(operation, group);
        return words.every((word) => text.includes(word));
      };
      return { ...group, operations: group.operations.filter(matches) };
    })
    .filter((group) => group.operations.length > 0);
}

function searchText(operation: Operation, group: OperationGroup): string {
  const { id, method, path, summary, description, scope, parameters, body } = operation;
  const names = [
    ...parameters.map(({ name }) => name),
    ...(body?.schema.fields.map(({ name }) => name) ?? []),
  ];
  return [group.name, id, method, path, summary, description, scope, ...names].join(' ').toLowerCase();
}
