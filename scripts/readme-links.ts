import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Links of a packed README that lead nowhere: files that the package does not have, and headings that the page does not have. */
export function findDeadLinks(folder: string): string[] {
  const page = readFileSync(path.join(folder, 'README.md'), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  return linksOf(page).filter((link) => {
    const [file = '', anchor] = link.split('#');
    const isFileThere = file === '' || isInside(folder, file);
    const isAnchorThere = anchor === undefined || file !== '' || anchors.includes(anchor);
    return !isFileThere || !isAnchorThere;
  });
}

/** Targets of links and pictures, in both forms that Markdown has. Addresses with a scheme lead out of the package. */
function linksOf(page: string): string[] {
  const inline = [...page.matchAll(/\]\(\s*<?([^)\s>]+)/g)];
  const named = [...page.matchAll(/^\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm)];
  const html = [...page.matchAll(/\b(?:href|src)="([^"]+)"/g)];
  const targets = [...inline, ...named, ...html].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** A path that leaves the folder is not part of the package, even where a file is there by chance. */
function isInside(folder: string, file: string): boolean {
  const target = path.resolve(folder, decodeURIComponent(file));
  return target.startsWith(path.resolve(folder) + path.sep) && existsSync(target);
}

/** The name that GitHub and npm give a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
