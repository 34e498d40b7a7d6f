/** Which page is shown: the address says it, so that each can be opened in a tab of its own. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const MOVED = 'sqldyno-moved';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const look = () => setPlace(here());
    window.addEventListener('popstate', look);
    window.addEventListener(MOVED, look);
    return () => {
      window.removeEventListener('popstate', look);
      window.removeEventListener(MOVED, look);
    };
  }, []);
  return place;
}

function here(): Place {
  return { path: window.location.pathname, query: new URLSearchParams(window.location.search) };
}

export function go(address: string): void {
  window.history.pushState(null, '', address);
  window.dispatchEvent(new Event(MOVED));
  window.scrollTo(0, 0);
}

/** The same page, otherwise asked: nothing to go back to. */
export function replaceQuery(query: URLSearchParams): void {
  const text = query.toString();
  window.history.replaceState(null, '', window.location.pathname + (text === '' ? '' : `?${text}`));
}

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  readonly isCurrent?: boolean;
}

export function Link({ to, children, isCurrent = false, ...rest }: LinkProps): JSX.Element {
  const onClick = (event: MouseEvent) => {
    // Whoever wants another tab or window gets it.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={onClick} aria-current={isCurrent ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}
