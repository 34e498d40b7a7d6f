/** A field for each declared option. What is as by default is left out of the request, and shows as a hint. */
import type { JSX } from 'preact';
import type { FormOption } from '../../api.ts';
import { Field, type FieldIds } from './field.tsx';

export type OptionTexts = Readonly<Record<string, string>>;

interface OptionFieldsProps {
  readonly options: readonly FormOption[];
  readonly values: OptionTexts;
  onChange(values: OptionTexts): void;
}

export function OptionFields({ options, values, onChange }: OptionFieldsProps): JSX.Element {
  const set = (name: string, value: string) => {
    const { [name]: _before, ...others } = values;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <div class="grid">
      {options.map((option) => (
        <Field key={option.name} label={labelOf(option.name)} help={option.help}>
          {(ids) => (
            <Control
              {...ids}
              option={option}
              value={values[option.name] ?? ''}
              onChange={(value) => set(option.name, value)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

interface ControlProps extends FieldIds {
  readonly option: FormOption;
  readonly value: string;
  onChange(value: string): void;
}

function Control({ option, value, onChange, ...ids }: ControlProps): JSX.Element {
  const { kind, choices, default: usual, min, max, name } = option;
  const offered = kind === 'flag' ? ['on', 'off'] : choices;
  if (offered !== undefined) {
    return (
      <select {...ids} name={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{usual} (default)</option>
        {offered
          .filter((each) => each !== usual)
          .map((each) => (
            <option key={each}>{each}</option>
          ))}
      </select>
    );
  }
  const common = {
    ...ids,
    name,
    value,
    placeholder: usual,
    autocomplete: 'off',
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  };
  if (kind !== 'integer' && kind !== 'number') return <input {...common} type="text" spellcheck={false} />;
  return <input {...common} type="number" step={kind === 'number' ? 'any' : 1} min={min} max={max} />;
}

export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
