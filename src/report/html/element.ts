/**
 * Elements of a page, typed for what is used here: names and text in, nodes out. Text is escaped when it is rendered.
 */
import { type ComponentChildren, h, type VNode } from 'preact';

export type Child = ComponentChildren;
/** By the names that HTML and SVG have for them. Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | object | undefined>>;

export function element(tag: string, attributes: Attributes, ...children: Child[]): VNode {
  return h(tag, attributes, ...children);
}

/**
 * What people or servers wrote, within a sentence of ours: text that runs from right to left turns nothing around it.
 */
export function given(text: string): VNode {
  return element('bdi', {}, text);
}
