/** A control with its name, and with words on it that are read out after the name. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** For the control itself. */
export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly isWide?: boolean;
  readonly children: (ids: FieldIds) => ComponentChildren;
}

export function Field({ label, help, isWide = false, children }: FieldProps): JSX.Element {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      {children(help === undefined ? { id } : { id, 'aria-describedby': helpId })}
      {help !== undefined && <small id={helpId}>{help}</small>}
    </div>
  );
}
