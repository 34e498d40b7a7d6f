/** The parts of a page, and the list of them that leads there. */
import { type Child, element } from './element.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: readonly Child[];
}

export function sectionNode({ id, title, content }: Section): Child {
  return element('section', { id }, element('h2', {}, title), ...content);
}

export function contents(sections: readonly Section[]): Child {
  return element(
    'nav',
    { 'aria-label': 'Sections' },
    ...sections.map(({ id, title }) => element('a', { href: `#${id}` }, title)),
  );
}

export function footer(): Child {
  return element('footer', {}, 'Made by sqldyno. This file holds all it shows, and asks nobody for anything.');
}
