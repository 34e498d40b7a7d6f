/** A command to be copied. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const SAID_FOR_MS = 2_000;

export function Copied({ text }: { readonly text: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_FOR_MS);
  };
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="small" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
