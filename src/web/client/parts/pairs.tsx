/** Names with their values, one below the other. */
import type { ComponentChildren, JSX } from 'preact';

export interface Pair {
  readonly name: string;
  readonly value: ComponentChildren;
}

export function Pairs({ pairs }: { readonly pairs: readonly Pair[] }): JSX.Element {
  return (
    <dl class="pairs">
      {pairs.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
