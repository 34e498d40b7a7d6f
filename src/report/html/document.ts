/** One file that opens anywhere: no request to anybody, and a policy that would stop one. */
import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { type Child, element } from './element.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface HtmlDocument {
  readonly title: string;
  /** Headings and content, within `main` or beside it. */
  readonly body: readonly Child[];
  /** Beside those of every page. Of this program alone: they are not escaped. */
  readonly style?: string;
  readonly script?: string;
}

/** Nothing may be loaded, and of styles and scripts only these texts count, whatever a server called itself. */
function policyFor(styles: readonly string[], scripts: readonly string[]): string {
  const hashes = (texts: readonly string[]) => texts.map((text) => `'${hashOf(text)}'`).join(' ');
  return [
    "default-src 'none'",
    'img-src data:',
    `style-src ${hashes(styles)}`,
    `script-src ${hashes(scripts)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export function htmlDocument({ title, body, style, script }: HtmlDocument): string {
  const styles = [STYLE, ...(style === undefined ? [] : [style])];
  const scripts = [SCRIPT, ...(script === undefined ? [] : [script])];
  const page = element(
    'html',
    { lang: 'en' },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('meta', { 'http-equiv': 'Content-Security-Policy', content: policyFor(styles, scripts) }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', { name: 'color-scheme', content: 'light dark' }),
      // Without one a browser would ask the server for it.
      element('link', { rel: 'icon', href: 'data:,' }),
      element('title', {}, title),
      ...styles.map((text) => ours('style', text)),
    ),
    element('body', {}, ...body, ...scripts.map((text) => ours('script', text))),
  );
  return `<!doctype html>\n${withoutControls(renderToString(page))}\n`;
}

/** Texts of this program alone: they are not escaped. */
function ours(tag: 'style' | 'script', text: string): Child {
  return element(tag, { dangerouslySetInnerHTML: { __html: text } });
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/**
 * Characters that HTML does not have, as a broken server may send them; each is shown as one that could not be read.
 */
function withoutControls(html: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is sought
  return html.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd');
}
