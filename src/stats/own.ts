/** Values by names that people or servers chose: `constructor` and the like are none of them. */

export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
